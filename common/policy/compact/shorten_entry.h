#ifndef POLICY_COMPACT_SHORTEN_ENTRY_H
#define POLICY_COMPACT_SHORTEN_ENTRY_H

/*
 * Shortening an entry of a session: its texts, and the arguments of its calls.
 */

#include "policy/compact/compaction.h"
#include "policy/compact/shorten.h"

/* What is shortened in an entry, as bits. */
enum shorten_what {
	SHORTEN_LINES = 1 << 0,     /* lines of a result that say little are condensed */
	SHORTEN_TEXTS = 1 << 1,     /* long texts of results and critical messages are cut */
	SHORTEN_ARGUMENTS = 1 << 2, /* so are long strings in the arguments of calls */
	SHORTEN_THINKING = 1 << 3,  /* thinking older than one turn becomes a placeholder */
	SHORTEN_MEDIA = 1 << 4,     /* so do inline media */
	SHORTEN_ALL = (1 << 5) - 1,
	SHORTEN_ANY_TEXT =
	    1 << 5, /* long texts of any role are cut, to nothing but head and tail */
};

/* How these parts of the entry are shortened. */
struct shorten shorten_entry_how(
    const struct compaction *compaction, uint32_t entry, unsigned what);

/* Shortens the record as it was in the input, not as it is now: a text that is cut a second time
 * then says the whole amount that is missing. Nothing changes unless the record gets smaller than
 * it is now. */
void shorten_entry(struct compaction *compaction, uint32_t entry, struct shorten how,
    const struct change_rule *rule);

#endif
