#ifndef SELECT_SELECTORS_H
#define SELECT_SELECTORS_H

/*
 * Selectors as alternatives: a message is selected when one of them selects it. The list owns its
 * selectors. The zero value has none, and selects nothing.
 */

#include "data/select/selector.h"

struct selectors {
	struct selector **list;
	unsigned count;
	unsigned cap;
	bool needs_tokens;  /* the tokens of an entry must have been counted before */
	bool needs_session; /* a term depends on more than the message */
};

/* Parses text and adds the selector. Returns false, with the error set, when text is malformed. */
bool selectors_add(struct selectors *selectors, const char *text, struct selector_error *error);

/* Whether the entry is selected; TERM_UNKNOWN when later records decide. */
enum term_answer selectors_ask(
    const struct selectors *selectors, struct session *session, const struct entry *entry);

/* Whether a message is selected by selectors that need no session. */
bool selectors_match_message(const struct selectors *selectors, const struct message *message);

void selectors_free(struct selectors *selectors);

#endif
