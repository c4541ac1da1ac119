#ifndef REDACT_PATTERN_H
#define REDACT_PATTERN_H

/*
 * A rule of the user's: a name and a POSIX extended regular expression. A pattern is matched within
 * one line, and does not see past a NUL. Its cost is bounded: it is matched in windows of
 * PATTERN_WINDOW bytes, which overlap so that a match of at most PATTERN_MATCH bytes is found at
 * any place.
 */

#include "base/expression/expression.h"
#include "policy/redact/search.h"

enum { PATTERN_WINDOW = 2048, PATTERN_MATCH = 512 };

struct pattern {
	struct str name; /* in the text that was parsed */
	struct expression expression;
};

/* Reads NAME=ERE, which must live as long as the pattern. Returns false, with a phrase in message
 * that says what is wrong; there is then nothing to free. */
bool pattern_parse(struct pattern *pattern, const char *text, struct buf *message);

/*
 * Sets found, but for its rule, to the first match in start to end, and returns true. before and
 * behind say whether a line begins at start and ends at end; if not, there is other text, which is
 * not looked at.
 */
bool pattern_next(struct pattern *pattern, struct search_found *found, const char *start,
    const char *end, bool before, bool behind);

void pattern_free(struct pattern *pattern);

#endif
