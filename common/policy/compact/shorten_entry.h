#ifndef POLICY_COMPACT_SHORTEN_ENTRY_H
#define POLICY_COMPACT_SHORTEN_ENTRY_H

/*
 * Shortening an entry of a session: its texts, and the arguments of its calls.
 */

#include "policy/compact/compaction.h"
#include "policy/compact/shorten.h"

/* How prune shortens the entry. */
struct shorten shorten_entry_how(const struct compaction *compaction, uint32_t entry);

/* Shortens the record that was in the input, so that a text that is cut once more tells truly how
 * much of it went. Lines of a result that say little are condensed. Nothing changes unless the
 * record gets smaller than it is now. */
void shorten_entry(struct compaction *compaction, uint32_t entry, struct shorten how,
    const struct change_rule *rule);

#endif
