#ifndef CTX_DIFF_CUT_LINES_H
#define CTX_DIFF_CUT_LINES_H

/*
 * Where two texts differ, in whole lines:
 *
 *     before    the lines that both begin with
 *     was, now  the lines of either from the first byte on that differs
 *     after     the lines that both end with
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
