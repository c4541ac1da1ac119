#include "policy/compact/pipeline.h"

#include "policy/compact/drop.h"
#include "policy/filter/filter.h"
#include "policy/filter/invariants.h"
#include "policy/compact/prune.h"
#include "policy/compact/transform.h"

static bool
has(const struct compaction *c, const struct transform *transform)
{
	return transform_is_in(transform, c->options->pipeline);
}

/* If the budget cannot be met with what was asked, or with the recent messages, as they are, they
 * give way at once. Otherwise all older work would be dropped in vain. */
static void
begin(struct compaction *c)
{
	bool drops = has(c, &truncate_transform) || drop_keeps_by_value(c);

	if (has(c, &prune_transform))
		prune_requests(c);
	if (has(c, &prune_transform) && drops)
		prune_floor(c);
}

static void
run(struct compaction *c)
{
	const struct transform *const *transform = c->options->pipeline;

	compaction_weigh(c);
	for (; *transform != NULL && !c->is_unsure && !fault_is_set(c->options->fault);
	     transform++) {
		goals_measure(&c->goals);
		if (compaction_is_done(c) && goals_missed(&c->goals) == 0)
			return;
		if ((*transform)->filter != NULL)
			filter_run(c, *transform);
		else if ((*transform)->run != NULL)
			(*transform)->run(c);
	}
}

static void
compact(struct compaction *c)
{
	const struct transform *const *transform = c->options->pipeline;

	begin(c);
	/* A filter reads all that is left: nothing may be doomed. */
	for (; *transform != NULL && !filter_is_in(c->options->pipeline); transform++)
		if ((*transform)->prepare != NULL)
			(*transform)->prepare(c);
	run(c);
	if (c->is_unsure) {
		compaction_reset(c);
		begin(c);
		run(c);
	}
	if (has(c, &prune_transform))
		prune_rest(c);
}

const char *
pipeline_run(struct compaction *c)
{
	do
		compact(c);
	while (!fault_is_set(c->options->fault) && compaction_used(c) > c->options->room &&
	    (compaction_release(c) || compaction_narrow(c) || compaction_cut_critical(c) ||
		(drop_keeps_by_value(c) && compaction_fold(c)) ||
		(has(c, &prune_transform) && compaction_cut_requests(c))));
	return fault_is_set(c->options->fault) ? NULL : invariants_check(c);
}
