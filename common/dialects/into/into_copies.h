#ifndef INTO_INTO_COPIES_H
#define INTO_INTO_COPIES_H

/*
 * Records that make no message, and repeat what messages say that are no more the same.
 */

#include "dialects/into/into_state.h"
#include "json/leaves.h"

struct into_copies {
	const struct into *into;
	struct map calls;          /* ids of calls of such messages */
	struct json_leaves leaves; /* of the record that is looked at */
};

/* Reads the messages of the file, when their fates are known. What is the name of a record, the
 * session or a call repeats nothing from then on. */
void into_copies_read(struct into_copies *copies, struct into *into);

/* Whether the record only tells of such a message, or repeats what it said, so that it goes. */
bool into_copies_is_event(struct into_copies *copies, const struct into_unit *unit);

/* Lets what the record repeats say what that has become, or nothing; but ids, which are edited by
 * themselves, are no texts. */
void into_copies_edit(
    struct into_copies *copies, const struct into_unit *unit, struct json_edit *edit);

void into_copies_free(struct into_copies *copies);

#endif
