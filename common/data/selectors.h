#ifndef DATA_SELECTORS_H
#define DATA_SELECTORS_H

/*
 * Selectors as alternatives: a message is selected when one of them selects it. The list owns its
 * selectors. The zero value has none, and selects nothing.
 */

#include "data/selector.h"

struct selectors {
	struct selector **list;
	unsigned count;
	unsigned cap;
	bool needs_tokens; /* the tokens of an entry must have been counted before */
};

/* Adds the selector that text spells. Returns false, with a phrase in message, when it is
 * malformed. */
bool selectors_add(struct selectors *selectors, const char *text, struct buf *message);

bool selectors_match(
    const struct selectors *selectors, struct session *session, const struct entry *entry);

void selectors_free(struct selectors *selectors);

#endif
