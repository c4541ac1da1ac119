#ifndef INTO_INTO_HISTORY_H
#define INTO_INTO_HISTORY_H

/*
 * The effect of a change on records that are not read: records that the agent's own compaction took
 * out, and earlier versions of a record. A change must not bring them back.
 */

#include "dialects/into/into_state.h"

/* Whether the message of the file is a summary whose record itself names the records that it
 * replaces. */
bool into_history_is_summary(const struct into *into, const struct into_own *own);

/* Marks those of these records that go. The fates of all other records must be known. */
void into_history_take(struct into *into);

#endif
