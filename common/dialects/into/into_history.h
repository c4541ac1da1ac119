#ifndef INTO_INTO_HISTORY_H
#define INTO_INTO_HISTORY_H

/*
 * What a change does to records that are not read: what the agent's own compaction took out, and
 * earlier versions of a record. Neither may come back.
 */

#include "dialects/into/into_state.h"

/* Whether the message of the file is a summary that says itself what it takes the place of. */
bool into_history_is_summary(const struct into *into, const struct into_own *own);

/* Marks those that go, when it is known of all others whether they do. */
void into_history_take(struct into *into);

#endif
