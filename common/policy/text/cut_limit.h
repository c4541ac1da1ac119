#ifndef TEXT_CUT_LIMIT_H
#define TEXT_CUT_LIMIT_H

/*
 * Cutting a text to a limit. The rest, with the mark in the place of the middle, is never over the
 * limit:
 *
 *     head of the text
 *     [… 12,345 bytes cut …]
 *     lines of the middle that name an error, if they are kept
 *     tail of the text
 *
 * Where the limit is short, the mark is "…" alone, in the line of the text, and no lines are kept.
 */

#include "base/number.h"
#include "tokens/estimate.h"

enum {
	CUT_LIMIT_MIN = 40,   /* of any unit: a shorter limit has no room for head and tail */
	CUT_LIMIT_LINE = 100, /* from here on the mark is a line */
};

struct cut_limit {
	struct size size; /* SIZE_PLAIN is in bytes; or in characters, or in tokens */
	uint64_t head;    /* the share of the head, of SIZE_WHOLE */
	struct estimator
	    *estimator; /* of a limit in tokens, of which a text has one a byte at most */
};

/* Whether the text, decoded, is over the limit. */
bool cut_limit_passed(const struct cut_limit *limit, struct str text);

/* Appends a text that is over the limit, cut to the limit. As JSON, the appended text is at least
 * spare bytes shorter than the text; spare is at most 32. */
void cut_limit_apply(const struct cut_limit *limit, struct str text, size_t spare, struct buf *buf);

#endif
