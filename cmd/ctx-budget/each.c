#include "each.h"

#include <stdlib.h>

#include "base/mem.h"
#include "face/agents/agent_files.h"
#include "face/transcript.h"

/* How many sessions so many operands are: files of sub-agents are of the session before them. */
static unsigned
count_sessions(const struct run *run, unsigned operands)
{
	return run->agents != NULL && operands > 0 ? run->agents->file[operands - 1].session + 1 :
						     operands;
}

/* Reports an operand that cannot be read, and goes on without it. The file of a sub-agent is no
 * session of its own: its caller is measured from the files that can be read. */
static void
pass_operand(struct input_passer *passer, struct input *in)
{
	struct each *each = (struct each *)passer;
	struct run *run = each->run;
	struct fault *fault = &run->fault;

	if (fault->status == STATUS_OS)
		return;
	if (run->agents == NULL || !run->agents->file[in->operand_next - 1].is_agent)
		each->session[count_sessions(run, in->operand_next) - 1].is_failed = true;
	diag_warn("%.*s", STR_ARG(buf_str(&fault->text)));
	run_fail(run, fault->status);
	fault_free(fault);
}

void
each_init(struct each *each, struct run *run, struct estimator *estimator,
    const struct budget_limits *limits, const struct models *models)
{
	struct input *in = &run->source.in;

	*each = (struct each){.passer = {.take = pass_operand},
	    .run = run,
	    .count = count_sessions(run, in->operand_count)};
	in->passer = &each->passer;
	each->session = mem_alloc(each->count, sizeof *each->session);
	for (unsigned i = 0; i < in->operand_count; i++) {
		struct each_session *session = &each->session[count_sessions(run, i + 1) - 1];

		if (run->agents != NULL && run->agents->file[i].is_agent)
			continue;
		*session = (struct each_session){.file = in->operand[i]};
		measure_init(&session->measure, estimator, limits, models, BREAKDOWN_NONE);
	}
}

void
each_end(struct each *each)
{
	struct run *run = each->run;
	struct each_session *session = &each->session[each->begun > 0 ? each->begun - 1 : 0];

	if (run->transcript != NULL) {
		transcript_end_operand(run->transcript);
		session->is_foreign = run->transcript->is_foreign;
		run->transcript->is_foreign = false;
		session->looks_like = run->source.odd.looks_like;
	}
	odd_records_forget_foreign(&run->source.odd);
}

struct measure *
each_measure(struct each *each)
{
	unsigned number = count_sessions(each->run, each->run->source.in.operand_next);
	struct each_session *session = &each->session[number > 0 ? number - 1 : 0];

	if (number > each->begun) {
		each_end(each);
		each->begun = number;
		session->is_begun = true;
	}
	return &session->measure;
}

void
each_free(struct each *each)
{
	for (unsigned i = 0; i < each->count; i++)
		measure_free(&each->session[i].measure);
	free(each->session);
}
