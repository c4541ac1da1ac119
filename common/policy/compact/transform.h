#ifndef POLICY_COMPACT_TRANSFORM_H
#define POLICY_COMPACT_TRANSFORM_H

/*
 * The transforms of a compaction, as one table that --pipeline, its help, a plan and a report read.
 * A transform is a file that defines one, and a row here. It drops whole units, makes edits, or is
 * the user's filter; normalize is the proof at the end, whatever the pipeline says.
 */

#include "policy/compact/compaction.h"

struct drop_how;
struct edit;

/* In the order in which they are of use: the name, and what the file defines. */
#define TRANSFORM_TABLE(ROW) \
	ROW(dedupe, dedupe_transform) \
	ROW(prune, prune_transform) \
	ROW(summarize, summarize_transform) \
	ROW(symbolize, symbolize_transform) \
	ROW(truncate, truncate_transform) \
	ROW(normalize, normalize_transform)

/* The default pipeline. */
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
	    *edits; /* what it edits after that (policy/compact/edit_rows.h), or NULL */
	/* A look at the whole session: allocates the number of the rule that each entry gets, or
	 * rule_count. NULL: the edits look for themselves. */
	uint8_t *(*judge)(const struct compaction *compaction);
	struct filter *filter; /* the user's own (policy/filter/filter.h); NULL: of this program */
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
