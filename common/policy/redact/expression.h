#ifndef REDACT_EXPRESSION_H
#define REDACT_EXPRESSION_H

/*
 * A POSIX extended regular expression, asked of the C library. GNU's regexec(3) knows no answer but
 * "no match" when memory runs out, so that its re_search is called there, which says it. It also
 * tries each place of a text in turn, each perhaps up to the end: that a text has no match is told
 * by a pass of its own, which takes time linear in the text.
 */

#include <regex.h>

#include "base/buf.h"

struct expression {
	regex_t regex;
	struct buf scratch; /* the text, where the library wants a NUL behind it */
#ifdef __GLIBC__
	regex_t somewhere; /* matches from the start on, if regex matches anywhere */
	struct re_registers match;
#endif
};

/* Returns false, with a phrase in message, when the expression is malformed or matches the empty
 * text; there is then nothing to free. */
bool expression_init(struct expression *expression, const char *ere, struct buf *message);

/* Sets *start and *end to the first match in the text, which has no NUL and is not empty, and
 * returns true. flags are those of regexec(3). Memory that runs out ends the run. */
bool expression_find(struct expression *expression, struct str text, int flags, const char **start,
    const char **end);

void expression_free(struct expression *expression);

#endif
