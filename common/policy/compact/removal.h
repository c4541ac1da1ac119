#ifndef POLICY_COMPACT_REMOVAL_H
#define POLICY_COMPACT_REMOVAL_H

/*
 * Removing a long result: a placeholder is left, with the most telling line of the result.
 *
 *     [old result removed: error: 'oil' undeclared]
 */

#include "policy/compact/compaction.h"

/* Whether the entry is a result that may be removed: one that is long, or was before it was cut. */
bool removal_may_take(const struct compaction *compaction, uint32_t entry);

/* Replaces the result by the rule's placeholder, which ends in ']', with that line before the
 * bracket, or without it if the line is too long. */
void removal_put(struct compaction *compaction, uint32_t entry, const struct change_rule *rule);

#endif
