#ifndef POLICY_COMPACT_PIPELINE_H
#define POLICY_COMPACT_PIPELINE_H

/*
 * Runs the transforms in the order that the options give, until the target is met; with force, all
 * of them. As long as the budget cannot be met, they run anew, and more may give way each time
 * (compaction_give_way). No transform breaks an invariant; normalize proves that.
 */

#include "policy/compact/compaction.h"

/* Returns NULL, or the invariant that does not hold, as a phrase: then nothing may be written. */
const char *pipeline_run(struct compaction *compaction);

#endif
