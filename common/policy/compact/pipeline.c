#include "policy/compact/pipeline.h"

#include "policy/compact/invariants.h"
#include "policy/compact/transform.h"

static void
run(struct compaction *c)
{
	const struct transform *const *transform = c->options->pipeline;

	compaction_weigh(c);
	for (; *transform != NULL && !c->is_unsure && !compaction_is_done(c); transform++)
		if ((*transform)->run != NULL)
			(*transform)->run(c);
}

const char *
pipeline_run(struct compaction *c)
{
	const struct transform *const *transform = c->options->pipeline;

	for (; *transform != NULL; transform++)
		if ((*transform)->prepare != NULL)
			(*transform)->prepare(c);
	run(c);
	if (c->is_unsure) {
		compaction_reset(c);
		run(c);
	}
	return invariants_check(c);
}
