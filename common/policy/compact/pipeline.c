#include "policy/compact/pipeline.h"

#include "policy/compact/dedupe.h"
#include "policy/compact/invariants.h"
#include "policy/compact/prune.h"
#include "policy/compact/truncate.h"

static void
transform(struct compaction *c, enum transform transform)
{
	switch (transform) {
	case TRANSFORM_DEDUPE:
		dedupe_run(c);
		break;
	case TRANSFORM_PRUNE:
		prune_run(c);
		break;
	case TRANSFORM_TRUNCATE:
		truncate_run(c);
		break;
	case TRANSFORM_NORMALIZE:
	case TRANSFORM_COUNT:
		break; /* comes last, and always */
	}
}

const char *
pipeline_run(struct compaction *c)
{
	for (unsigned i = 0; i < c->options->pipeline_count && !compaction_is_done(c); i++)
		transform(c, c->options->pipeline[i]);
	return invariants_check(c);
}
