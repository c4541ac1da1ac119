#ifndef POLICY_COMPACT_PIPELINE_H
#define POLICY_COMPACT_PIPELINE_H

/*
 * Runs the transforms in the order that the options give, until the target is met; with force, all
 * of them. While the budget is not met, the transforms run again, each time with one protection
 * less (compaction_give_way). No transform breaks an invariant; normalize proves that.
 */

#include "policy/compact/compaction.h"

/* Sets the fault of the options when an invariant does not hold: then nothing may be written. */
void pipeline_run(struct compaction *compaction);

#endif
