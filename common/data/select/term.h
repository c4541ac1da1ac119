#ifndef SELECT_TERM_H
#define SELECT_TERM_H

/*
 * One term of a selector (data/select/selector.h): a name, mostly an operator and a value, and what
 * they say of a message. The kinds of terms are in data/select/term_types.h.
 *
 *     [!]NAME[OPERATOR VALUE]      pinned    !role=user    tokens>200
 */

#include "data/select/term_types.h"

/* Parses the len bytes at text; free the term with term_free, whatever comes of it. Returns false
 * when they are malformed, with a phrase in message and the place of the fault in *at. */
bool term_parse(struct term *term, const char *text, size_t len, struct buf *message, size_t *at);

enum term_needs term_needs(const struct term *term);

/* Whether the term holds for the message. TERM_UNKNOWN only before session_end, and never for a
 * term that looks at the message alone. */
enum term_answer term_ask(const struct term *term, const struct term_candidate *candidate);

void term_free(struct term *term);

#endif
