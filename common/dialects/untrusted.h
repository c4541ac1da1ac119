#ifndef DIALECTS_UNTRUSTED_H
#define DIALECTS_UNTRUSTED_H

/*
 * What a stream says of itself, and nobody should believe who does not know its writer: metadata
 * (pinned, resolved, origin, …), context and budget records. It is stripped before anything reads
 * it; all else stays byte for byte.
 */

#include "dialects/dialect.h"

/* The stage in front of a reader. */
struct untrusted {
	struct stage stage;
	struct dialect_reading *reading;
	struct message message;
	struct buf text;
};

void untrusted_init(struct untrusted *untrusted, struct dialect_reading *reading);
void untrusted_free(struct untrusted *untrusted);

/* Strips the record and counts that in reading. A message that lost metadata is read anew into
 * message, and its text stands in text. False when nothing of the record is to pass. */
bool untrusted_strip(struct dialect_reading *reading, struct record *record,
    struct message *message, struct buf *text);

#endif
