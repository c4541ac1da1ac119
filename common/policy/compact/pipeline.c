#include "policy/compact/pipeline.h"

#include "policy/compact/edit_rows.h"
#include "policy/compact/transform.h"
#include "policy/drop/drop.h"
#include "policy/filter/filter.h"
#include "policy/filter/invariants.h"

static void
edit(struct compaction *c, enum edit_when when)
{
	const struct transform *const *transform = c->options->pipeline;

	for (; *transform != NULL; transform++)
		edit_rows_run(c, *transform, when);
}

/* If the budget cannot be met with the whole request, or with the whole recent messages, these give
 * way at once. Otherwise all older work would be dropped in vain. */
static void
begin(struct compaction *c)
{
	edit(c, EDIT_REQUESTS);
	edit(c, EDIT_FLOOR);
}

static void
run(struct compaction *c)
{
	const struct transform *const *transform = c->options->pipeline;
	const struct drop_how *drop = drop_how_of(transform);

	compaction_weigh(c, KEEP_NOT);
	for (; *transform != NULL && !c->is_unsure && !fault_is_set(c->options->fault);
	     transform++) {
		goals_measure(&c->goals);
		if (compaction_is_done(c) && goals_missed(&c->goals) == 0)
			return;
		if ((*transform)->filter != NULL)
			filter_run(c, *transform);
		if ((*transform)->drop != NULL && (*transform)->drop == drop)
			drop_run(c);
		if (!c->is_unsure)
			edit_rows_run(c, *transform, EDIT_RUN);
	}
}

static void
compact(struct compaction *c)
{
	begin(c);
	/* A filter reads all that is left: nothing may be doomed. */
	if (drop_how_of(c->options->pipeline) != NULL && !filter_is_in(c->options->pipeline))
		drop_prepare(c);
	run(c);
	if (c->is_unsure) {
		compaction_reset(c);
		begin(c);
		run(c);
	}
	if (!fault_is_set(c->options->fault))
		drop_tell(c);
	edit(c, EDIT_REST);
}

void
pipeline_run(struct compaction *c)
{
	const struct drop_how *drop = drop_how_of(c->options->pipeline);
	bool may_fold = drop != NULL && drop->by_value;
	bool may_cut = c->options->best_effort && edit_rows_reach_requests(c->options->pipeline);

	do
		compact(c);
	while (!fault_is_set(c->options->fault) && compaction_used(c) > c->options->room &&
	    compaction_give_way(c, may_fold, may_cut));
	if (!fault_is_set(c->options->fault))
		invariants_check(c);
}
