#ifndef SELECT_TERM_H
#define SELECT_TERM_H

/*
 * One term of a selector (data/select/selector.h): a name, and for most terms an operator and a
 * value. The kinds of terms are in data/select/term_types.h.
 *
 *     [!]NAME[OPERATOR VALUE]      pinned    !role=user    tokens>200
 */

#include "data/select/term_types.h"

/* Parses the len bytes at text. Returns false when they are malformed, with a phrase in message and
 * the offset of the error in *at. Free the term with term_free in both cases. */
bool term_parse(struct term *term, const char *text, size_t len, struct buf *message, size_t *at);

enum term_needs term_needs(const struct term *term);

/* The answer of a term that depends on the message alone, without the message; TERM_UNKNOWN where
 * the message must be read. */
enum term_answer term_glance(const struct term *term, const struct entry *entry);

/* Whether the term holds for the message. TERM_UNKNOWN is possible only before session_end, and not
 * for a term that depends on the message alone. */
enum term_answer term_ask(const struct term *term, const struct term_candidate *candidate);

void term_free(struct term *term);

#endif
