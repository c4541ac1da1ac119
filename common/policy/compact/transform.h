#ifndef POLICY_COMPACT_TRANSFORM_H
#define POLICY_COMPACT_TRANSFORM_H

/*
 * The transforms of a compaction, as one table that --pipeline, its help, a plan and a report read.
 * A transform is a file that defines one, and a row here. It drops whole units, makes edits, or is
 * the user's filter. The last one, normalize, proves the invariants, and always runs.
 */

#include "policy/compact/compaction.h"

struct drop_how;
struct edit;

/* In the order in which they are useful: the name, and the variable that the file defines. */
#define TRANSFORM_TABLE(ROW) \
	ROW(dedupe, dedupe_transform) \
	ROW(prune, prune_transform) \
	ROW(summarize, summarize_transform) \
	ROW(symbolize, symbolize_transform) \
	ROW(truncate, truncate_transform) \
	ROW(normalize, normalize_transform)

#define TRANSFORM_DEFAULT "dedupe,prune,summarize,truncate,normalize"

#define TRANSFORM_ONE(name, variable) +1
enum { TRANSFORM_COUNT = 0 TRANSFORM_TABLE(TRANSFORM_ONE) };

struct transform {
	struct str name;
	const struct change_rule *rules; /* all rules of its changes */
	unsigned rule_count;
	const struct drop_how
	    *drop; /* how it drops whole units (policy/drop/drop_how.h), or NULL */
	const struct edit
	    *edits; /* its edits, after the drops (policy/compact/edit_rows.h), or NULL */
	/* Looks at the whole session, and returns an allocated array, which the caller frees: by
	 * entry, the index of the rule that applies, or rule_count for none. NULL: each edit
	 * decides alone. */
	uint8_t *(*judge)(const struct compaction *compaction);
	struct filter *filter; /* the user's filter (policy/filter/filter.h); NULL: built in */
};

#define TRANSFORM_DECLARE(name, variable) extern const struct transform variable;
TRANSFORM_TABLE(TRANSFORM_DECLARE)

/* The rows, ended by NULL. */
extern const struct transform *const transform_table[];

/* The transform of that name, or NULL. */
const struct transform *transform_find(struct str name);

/* Whether the transform is in the pipeline, which NULL ends. */
bool transform_is_in(const struct transform *transform, const struct transform *const *pipeline);

#endif
