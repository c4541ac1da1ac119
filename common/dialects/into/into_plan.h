#ifndef INTO_INTO_PLAN_H
#define INTO_INTO_PLAN_H

/*
 * The fate of each message of the file, and of each record. If a message is written anew, so are
 * the messages that share a record with it which cannot be divided, and its results, or the message
 * with its call, so that one writer spells both.
 */

#include "dialects/into/into_state.h"

/* Links entries with messages of the file, and sets the fates of these, and which units go. Returns
 * false with the fault set. */
bool into_plan(struct into *into);

#endif
