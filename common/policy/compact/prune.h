#ifndef POLICY_COMPACT_PRUNE_H
#define POLICY_COMPACT_PRUNE_H

/*
 * What the default recency window, and all else that is not kept byte for byte, gives before a
 * budget is refused.
 */

#include "policy/compact/compaction.h"

/* Before the transforms: when what cannot be dropped is more than the budget allows. */
void prune_floor(struct compaction *compaction);

/* Behind them: when what is left is more. With best_effort also the user's newest message. */
void prune_rest(struct compaction *compaction);

#endif
