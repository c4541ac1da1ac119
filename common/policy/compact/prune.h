#ifndef POLICY_COMPACT_PRUNE_H
#define POLICY_COMPACT_PRUNE_H

/*
 * Long things get short, oldest first, until the target is met: results and the strings in tool
 * call arguments that are over a size keep head and tail, thinking older than one turn and inline
 * media become placeholders, error text of unresolved groups is cut. If that is not enough,
 * results that were cut become placeholders.
 */

#include "policy/compact/compaction.h"

/* Earlier executions first, then the current one. */
void prune_run(struct compaction *compaction);

#endif
