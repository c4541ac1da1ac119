#ifndef POLICY_COMPACT_DEDUPE_H
#define POLICY_COMPACT_DEDUPE_H

/*
 * Results that later work made worthless become one-line placeholders:
 *
 *     stale        a read of a target that a later call edits or writes
 *     superseded   a read whose lines a later read covers
 *     duplicate    the same call, by its key, was made again; the last stays
 *
 * Only results that are no errors are replaced, and only for calls that succeeded. What was
 * compacted proves nothing: a shortened result covers no other, shortened arguments are no key.
 *
 * Memory while it runs: a byte a call, and a slot of a map for each read, write and key.
 */

#include "policy/compact/compaction.h"

/* Earlier executions first, then the current one unless the target is met by then. */
void dedupe_run(struct compaction *compaction);

#endif
