#ifndef DIALECTS_UNTRUSTED_H
#define DIALECTS_UNTRUSTED_H

/*
 * All commands believe metadata (pinned, resolved, origin, …), context records and budget records.
 * Input that is not trusted must therefore not contain them. This stage strips them before any
 * other stage reads them, and keeps everything else byte for byte. Calls, the id of a call and a
 * tool_result that only metadata says become members of the message, so that pairs stay pairs.
 */

#include "dialects/dialect.h"

/* The stage, which stands in front of a reader. */
struct untrusted {
	struct stage stage;
	struct dialect_reading *reading;
	struct buf text;
};

void untrusted_init(struct untrusted *untrusted, struct dialect_reading *reading);
void untrusted_free(struct untrusted *untrusted);

/* Strips the record and counts in reading what was stripped. When a message loses metadata, its new
 * JSON is written to text and read again into message. Returns false when the record must not
 * pass. */
bool untrusted_strip(struct dialect_reading *reading, struct record *record,
    struct message *message, struct buf *text);

#endif
