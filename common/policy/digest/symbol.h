#ifndef POLICY_DIGEST_SYMBOL_H
#define POLICY_DIGEST_SYMBOL_H

/*
 * The symbol of a message: one line that says whose message it was and what it did.
 *
 *     user: Mend the lamps of the harbour.
 *     assistant: I look at the quay. -> read src/quay.c; bash make check
 *     tool: bash make check: error, 812 B: 3 of 40 failed
 *
 * Texts and arguments are cut to their first words, blanks and line feeds become one blank, and
 * control characters become visible: no text forges a line.
 */

#include "data/session/session.h"

/* Appends the symbol of a message as it came in, without a line feed. */
void symbol_write(const struct session *session, uint32_t entry, struct buf *line);

#endif
