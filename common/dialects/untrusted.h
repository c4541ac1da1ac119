#ifndef DIALECTS_UNTRUSTED_H
#define DIALECTS_UNTRUSTED_H

/*
 * All commands believe metadata (pinned, resolved, origin, …), context records and budget records.
 * Of input that is not trusted there must therefore be none. This stage stands behind every reader
 * and in front of all else, and strips all of them from what a reader emits, be they of the input
 * or made by the reader; everything else stays byte for byte. Messages of sub-agents go, since
 * their metadata alone tells them from others. Calls, the id of a call and a tool_result that only
 * metadata says become members of the message, so that pairs stay pairs.
 *
 * A reader may say of a record what it has read there (enum record_read): that a block says that
 * the result is an error, which stays. Of a record of which it says nothing all goes.
 */

#include "dialects/dialect.h"

struct untrusted {
	struct stage stage;
	struct dialect_reading *reading; /* gets the counts of what was stripped */
	struct buf text, settled;
	struct message message; /* of the record at hand, where it is read here */
};

void untrusted_init(struct untrusted *untrusted, struct dialect_reading *reading);
void untrusted_free(struct untrusted *untrusted);

#endif
