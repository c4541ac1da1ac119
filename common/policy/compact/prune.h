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

/* Before the transforms: cuts what the user asked, where that is allowed, until what stays byte for
 * byte takes at most half of the budget. */
void prune_requests(struct compaction *compaction);

#endif
