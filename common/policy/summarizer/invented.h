#ifndef POLICY_SUMMARIZER_INVENTED_H
#define POLICY_SUMMARIZER_INVENTED_H

/*
 * What a summary says and its source does not: names (policy/summarizer/names.h), which are paths,
 * identifiers, options, hashes, and numbers of three digits and more. A source has a name when it
 * stands in any text of it, and neither a letter nor a digit stands beside it there: src/a.c stands
 * in /home/x/src/a.c, and 404 does not stand in 14040.
 */

#include "policy/summarizer/brief.h"

struct invented {
	struct str *name; /* in the text; each once, in its order */
	uint32_t count, cap;
};

/* Finds the names of text that the request lacks. */
void invented_find(struct invented *invented, const struct brief *request, struct str text);

void invented_free(struct invented *invented);

#endif
