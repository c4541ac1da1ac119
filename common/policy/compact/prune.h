#ifndef POLICY_COMPACT_PRUNE_H
#define POLICY_COMPACT_PRUNE_H

/*
 * The shortening before a budget is refused: of the default recency window, and of all else that is
 * not kept byte for byte.
 */

#include "policy/compact/compaction.h"

/* Before the transforms: shortens if the entries that cannot be dropped exceed the budget. */
void prune_floor(struct compaction *compaction);

/* After the transforms: shortens if the entries that are left exceed the budget. */
void prune_rest(struct compaction *compaction);

/* The last step of all: cuts the user's newest message if the budget is exceeded still. */
void prune_request(struct compaction *compaction);

#endif
