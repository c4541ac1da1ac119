#ifndef POLICY_COMPACT_EDIT_ROWS_H
#define POLICY_COMPACT_EDIT_ROWS_H

/*
 * Edits: what transforms put in the place of texts, as rows of one form. A row says which entries
 * it may touch, in which order they come, when it is enough, and what is written. One driver walks
 * over the entries, once for each row:
 *
 *     round    some walks: all of them go over the earlier executions, and then all over the
 *              current one
 *     walk     a row, and those that share its walk: an entry gets the first of them that applies
 *
 * A row never touches an entry that is doomed or dropped. Where only goals are left, nothing is
 * touched that was ever compacted, and an entry that a row leaves wanted gets the next row, too.
 */

#include "policy/compact/compaction.h"

enum edit_when {
	EDIT_RUN,      /* where the transform stands in the pipeline */
	EDIT_REQUESTS, /* before all transforms, by what stays byte for byte */
	EDIT_FLOOR,    /* before all transforms, by what cannot be dropped */
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
	EDIT_ALL_WANTED, /* where the target was met before, only what a goal wants is touched */
	EDIT_GOALS,      /* only what a goal wants is touched */
};

/* A walk that is under way. */
struct edit_walk {
	struct compaction *compaction;
	const struct transform *transform;
	const struct edit *edit; /* the row at hand */
	const uint8_t *judged;   /* what the transform judged of each entry; NULL: nothing */
	uint64_t level;          /* what the row's level gave; else 0 */
	bool is_current;         /* by execution: over the current one */
	bool by_goals; /* only what a goal wants is touched, and undone if it brings none nearer */
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
	/* What is shortened (policy/compact/shorten_entry.h), texts to as many bytes as the level
	 * says; 0: the placeholder of the rule is the new content. */
	unsigned shortens;
	/* Writes something else. Or NULL. */
	void (*write)(const struct edit_walk *walk, uint32_t entry);
	/* How much each text may keep, worked out once for each walk. Or NULL. */
	uint64_t (*level)(const struct edit_walk *walk);
};

/* Makes the rounds of the transform that belong to that time. */
void edit_rows_run(
    struct compaction *compaction, const struct transform *transform, enum edit_when when);

/* The most that each of the first entries can keep, from least on and under above, so that as much
 * as wanted is saved in all; saved says what one of them saves. */
uint64_t edit_rows_level(const struct edit_walk *walk, uint32_t entries, uint64_t least,
    uint64_t above, uint64_t wanted,
    uint64_t (*saved)(const struct edit_walk *walk, uint32_t entry, uint64_t level));

/* Whether the row may touch the entry, by the reason for which that is kept. */
bool edit_rows_may_touch(
    const struct edit *edit, const struct compaction *compaction, uint32_t entry);

/* Whether a transform of the pipeline, which NULL ends, has an edit for entries that are kept for
 * that reason. */
bool edit_rows_reach(const struct transform *const *pipeline, enum keep reason);

#endif
