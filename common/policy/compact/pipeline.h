#ifndef POLICY_COMPACT_PIPELINE_H
#define POLICY_COMPACT_PIPELINE_H

/*
 * The transforms in the order that the options give, until the target is met; with force, all of
 * them. None of them breaks an invariant; normalize is where that is proved.
 */

#include "policy/compact/compaction.h"

/* Returns NULL, or the invariant that does not hold, as a phrase: then nothing may be written. */
const char *pipeline_run(struct compaction *compaction);

#endif
