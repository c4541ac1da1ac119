#ifndef DIALECTS_UNTRUSTED_H
#define DIALECTS_UNTRUSTED_H

/*
 * All commands believe metadata (pinned, resolved, origin, …), context records and budget records.
 * Untrusted input must therefore have none. This stage comes directly after every reader, and
 * removes all of these from the records that a reader emits, whether the input had them or the
 * reader made them; everything else stays byte for byte. Messages of sub-agents are dropped, since
 * only their metadata tells them from others. Calls, the id of a call and a tool_result that only
 * the metadata has become members of the message, so that pairs stay pairs.
 *
 * A reader may note that it has read in a record, from a block, that the result is an error (enum
 * record_read): that mark stays. All other metadata is removed.
 */

#include "dialects/dialect.h"

struct untrusted {
	struct stage stage;
	struct dialect_reading *reading; /* gets the counts of stripped members and records */
	struct buf text, settled;
	struct message message; /* of the record at hand, where it is read here */
};

void untrusted_init(struct untrusted *untrusted, struct dialect_reading *reading);
void untrusted_free(struct untrusted *untrusted);

#endif
