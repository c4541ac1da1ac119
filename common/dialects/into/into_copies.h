#ifndef INTO_INTO_COPIES_H
#define INTO_INTO_COPIES_H

/*
 * Records that make no message, but repeat texts of messages that have changed.
 */

#include "base/hash/map.h"
#include "dialects/into/into_state.h"
#include "json/leaves.h"

struct into_copies {
	const struct into *into;
	struct map calls;          /* ids of calls of changed messages */
	struct json_leaves leaves; /* of the record that is looked at */
};

/* Reads the messages of the file; their fates must be known. From then on, a string that is the
 * name of a record, the session or a call does not count as a repeated text. */
void into_copies_read(struct into_copies *copies, struct into *into);

/* Whether the record only reports a changed message, or repeats its text, so that the record is
 * dropped. */
bool into_copies_is_event(struct into_copies *copies, const struct into_unit *unit);

/* Edits the texts that the record repeats: each becomes the new text, or is removed. Ids are no
 * texts here; they are edited elsewhere (into_ids.h). */
void into_copies_edit(
    struct into_copies *copies, const struct into_unit *unit, struct json_edit *edit);

void into_copies_free(struct into_copies *copies);

#endif
