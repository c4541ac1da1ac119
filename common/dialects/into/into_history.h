#ifndef INTO_INTO_HISTORY_H
#define INTO_INTO_HISTORY_H

/*
 * What a change does to records that are not read: what the agent's own compaction took out, and
 * earlier versions of a record. Neither may come back.
 */

#include "dialects/into/into_state.h"

/* Marks those that go, when it is known of all others whether they do. */
void into_history_take(struct into *into);

#endif
