#ifndef DIALECTS_UNTRUSTED_H
#define DIALECTS_UNTRUSTED_H

/*
 * What a stream says of itself, and nobody should believe who does not know its writer: metadata
 * (pinned, resolved, origin, …), context and budget records. It is stripped before anything reads
 * it; all else stays byte for byte.
 */

#include "dialects/dialect.h"

/* Strips the record; its message is then read anew into message, its text stands in text. False when
 * nothing of it is to pass. Counts what it strips in reading. */
bool untrusted_strip(struct dialect_reading *reading, struct record *record,
    struct message *message, struct buf *text);

#endif
