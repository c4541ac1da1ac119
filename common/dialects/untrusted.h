#ifndef DIALECTS_UNTRUSTED_H
#define DIALECTS_UNTRUSTED_H

/*
 * Metadata (pinned, resolved, origin, …), context records and budget records are believed by all
 * commands. They must not come from a writer who is not trusted, so this stage strips them before
 * anything reads them. All else stays byte for byte.
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

/* Strips the record, and counts in reading what was stripped. A message that loses metadata gets a
 * new text, in text, and is read again into message. Returns false when the record must not
 * pass. */
bool untrusted_strip(struct dialect_reading *reading, struct record *record,
    struct message *message, struct buf *text);

#endif
