#ifndef INTO_INTO_PLAN_H
#define INTO_INTO_PLAN_H

/*
 * What becomes of each message of the file, and of each record. A message that is written anew
 * takes others with it: those that share a record with it which cannot be parted, and its results,
 * or the message with its call, so that both are spelled by one.
 */

#include "dialects/into/into_state.h"

/* Links entries with messages of the file, and sets the fates of these, and which units go. Returns
 * false with the fault set. */
bool into_plan(struct into *into);

#endif
