#ifndef POLICY_COMPACT_INVARIANTS_H
#define POLICY_COMPACT_INVARIANTS_H

/*
 * What must hold of every compaction, looked at once more when all is done and before anything is
 * written, by other means than those that did it: the transform normalize.
 */

#include "policy/compact/compaction.h"

/* NULL, or what does not hold, as a phrase. */
const char *invariants_check(struct compaction *compaction);

#endif
