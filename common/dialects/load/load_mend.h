#ifndef LOAD_LOAD_MEND_H
#define LOAD_LOAD_MEND_H

/*
 * Mends the file of a session, so that its agent loads all of the conversation: a header and
 * members that are missing are added (needs and adds of struct load_form_rule), and the chain is
 * linked anew where it passes over messages. If half of a character is sent, each half in the file
 * is replaced. Nothing is removed, and every other byte stays.
 */

#include "base/fault.h"
#include "dialects/dialect.h"

/* Appends the mended text of the file to to: lines, or one document. text has JSON_PADDING after
 * it; lines that are not JSON stay as they are. Returns false with the fault set. Time is
 * linear. */
bool load_mend(const struct dialect *dialect, struct str text, bool is_document, struct buf *to,
    struct fault *fault);

#endif
