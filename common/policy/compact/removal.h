#ifndef POLICY_COMPACT_REMOVAL_H
#define POLICY_COMPACT_REMOVAL_H

/*
 * Removing a long result: what is left is a placeholder, and the line of the result that says most.
 *
 *     [old result removed: error: 'oil' undeclared]
 */

#include "policy/compact/compaction.h"

/* Whether the entry is a result that may be removed: one that is long, or was before it was cut. */
bool removal_may_take(const struct compaction *compaction, uint32_t entry);

/* Puts the rule's placeholder, which ends in ']', in the place of the result, with that line in it,
 * or without one if that is too much. */
void removal_put(struct compaction *compaction, uint32_t entry, const struct change_rule *rule);

#endif
