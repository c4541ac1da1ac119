#ifndef POLICY_COMPACT_EDIT_ROWS_H
#define POLICY_COMPACT_EDIT_ROWS_H

/*
 * Edits: replacements of texts by transforms, as rows of one table. A row says which entries it may
 * touch, the order of these entries, when the walk ends, and the new text. One driver walks over
 * the entries, once for each row:
 *
 *     round    some walks: all of them go over the earlier executions, and then all over the
 *              current one
 *     walk     a row, and those that share its walk: an entry gets the first of them that applies
 *
 * A row never touches an entry that is doomed or dropped. Where only goals are left to reach, an
 * entry that was ever compacted is not touched. An entry whose change did not reach the goals gets
 * the next row, too.
 */

#include "policy/compact/compaction.h"

enum edit_when {
	EDIT_RUN,      /* at the transform's place in the pipeline */
	EDIT_REQUESTS, /* before all transforms, if entries that stay byte for byte are too large */
	EDIT_FLOOR,    /* before all transforms, if entries that cannot be dropped are too large */
	EDIT_REST,     /* after all transforms */
};

enum edit_link {
	EDIT_ROUND, /* the row begins a round */
	EDIT_WALK,  /* it has a walk of its own in the round of the row before */
	EDIT_ALSO,  /* it shares the walk of the row before */
};

enum edit_order {
	EDIT_BY_EXECUTION, /* the earlier executions, then the current one; each oldest first */
	EDIT_OLDEST,
	EDIT_LARGEST, /* by tokens */
};

/* When a walk ends before the end of the session. */
enum edit_until {
	EDIT_DONE,       /* the target is met; with force, never */
	EDIT_FITS,       /* the target is met */
	EDIT_ROOM,       /* the budget is met */
	EDIT_TARGET,     /* the target is met; where the budget is met there is no walk */
	EDIT_ALL,        /* never, as in those that follow */
	EDIT_ALL_WANTED, /* as EDIT_ALL; if the target is met, as EDIT_GOALS */
	EDIT_GOALS,      /* never; only entries that count for a missed goal are touched */
};

/* A walk that is under way. */
struct edit_walk {
	struct compaction *compaction;
	const struct transform *transform;
	const struct edit *edit; /* the row at hand */
	const uint8_t *judged;   /* the rule that the transform chose for each entry; NULL: none */
	uint64_t level;          /* the result of the row's level; else 0 */
	bool is_current;         /* EDIT_BY_EXECUTION: the walk is over the current execution */
	bool by_goals; /* only entries of missed goals; a change that helps no goal is undone */
};

struct edit {
	enum edit_when when;
	enum edit_link link;
	/* The reasons of the entries that may be touched, from the weakest to the strongest. These,
	 * order, until and level are those of the walk's first row. */
	enum keep weakest, strongest;
	enum edit_order order;
	enum edit_until until;
	const struct change_rule *rule; /* NULL ends the table */
	/* NULL: every entry that compaction_may_change. */
	bool (*applies)(const struct edit_walk *walk, uint32_t entry);
	/* The parts that are shortened, as bits (policy/compact/shorten_entry.h), texts to as many
	 * bytes as the level says. 0: the placeholder of the rule is the new content. */
	unsigned shortens;
	/* Writes the change instead of shortens and the placeholder. Or NULL. */
	void (*write)(const struct edit_walk *walk, uint32_t entry);
	/* How much each text may keep, worked out once for each walk. Or NULL. */
	uint64_t (*level)(const struct edit_walk *walk);
};

/* Makes the rounds of the transform that belong to that time. */
void edit_rows_run(
    struct compaction *compaction, const struct transform *transform, enum edit_when when);

/* The largest level from least up to but not including above at which the first entries save, in
 * all, as many tokens or bytes as wanted; saved gives the saving of one entry. least if there is
 * none. */
uint64_t edit_rows_level(const struct edit_walk *walk, uint32_t entries, uint64_t least,
    uint64_t above, uint64_t wanted,
    uint64_t (*saved)(const struct edit_walk *walk, uint32_t entry, uint64_t level));

/* Whether the row may touch the entry, by the reason for which that is kept. */
bool edit_rows_may_touch(
    const struct edit *edit, const struct compaction *compaction, uint32_t entry);

/* Whether a transform of the pipeline, a list ended by NULL, has an edit for requests of the
 * user. */
bool edit_rows_reach_requests(const struct transform *const *pipeline);

#endif
