#include "each.h"

#include <stdlib.h>

#include "base/mem.h"

void
each_init(struct each *each, const struct source *source, struct estimator *estimator,
    const struct budget_limits *limits)
{
	*each = (struct each){.count = source->in.operand_count};
	each->session = mem_alloc(each->count, sizeof *each->session);
	for (unsigned i = 0; i < each->count; i++) {
		struct each_session *session = &each->session[i];

		*session = (struct each_session){.file = source->in.operand[i]};
		measure_init(&session->measure, estimator, limits, BREAKDOWN_NONE);
	}
}

/* Ends the newest session: what the source has counted since it began is of that session. */
static void
end_session(struct each *each, struct source *source)
{
	const struct source_counts *now = &source->counts, *before = &each->before;
	struct each_session *session = each->begun > 0 ? &each->session[each->begun - 1] : NULL;

	if (session != NULL) {
		session->is_foreign = now->foreign > before->foreign &&
		    now->messages + now->contexts + now->budgets ==
			before->messages + before->contexts + before->budgets;
		session->looks_like = source->looks_like;
		session->is_odd = source_say_odd(source, !session->is_foreign);
	}
	source_forget_looks(source);
	each->before = *now;
}

struct measure *
each_measure(struct each *each, struct source *source)
{
	if (source->in.operand_next > each->begun) {
		end_session(each, source);
		each->begun = source->in.operand_next;
	}
	return &each->session[each->begun > 0 ? each->begun - 1 : 0].measure;
}

void
each_end(struct each *each, struct source *source)
{
	end_session(each, source);
}

void
each_free(struct each *each)
{
	for (unsigned i = 0; i < each->count; i++)
		measure_free(&each->session[i].measure);
	free(each->session);
}
