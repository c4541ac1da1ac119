#ifndef CTX_DIFF_CUT_LINES_H
#define CTX_DIFF_CUT_LINES_H

/*
 * The difference of two texts in whole lines:
 *
 *     before    the lines with which both begin
 *     was, now  the lines of each text from the first different byte on
 *     after     the lines with which both end
 *
 * All are parts of the texts, and each may be "".
 */

#include "base/str.h"

struct cut_lines {
	struct str before, was, now, after;
	size_t same; /* bytes that was and now both begin with */
};

struct cut_lines cut_lines_find(struct str was, struct str now);

#endif
