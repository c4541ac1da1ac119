#ifndef POLICY_SUMMARIZER_INVENTED_H
#define POLICY_SUMMARIZER_INVENTED_H

/*
 * Names in a summary that its source does not have (policy/summarizer/names.h): paths, identifiers,
 * options, hashes, and numbers of three digits and more. A source has a name if the name is in any
 * of its texts, with neither a letter nor a digit beside it: src/a.c is in /home/x/src/a.c, but 404
 * is not in 14040.
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
