#ifndef FILTER_INVARIANTS_H
#define FILTER_INVARIANTS_H

/*
 * The invariants of every compaction, as the transform normalize. They are checked when all
 * transforms are done, before anything is written, and by other means than the transforms use.
 */

#include "policy/compact/compaction.h"

/* Returns NULL, or the invariant that does not hold, as a phrase. */
const char *invariants_check(struct compaction *compaction);

#endif
