#include "job.h"

#include "json/text.h"
#include "policy/compact/summary.h"

uint32_t
job_find_last(const struct session *t, enum record_kind kind)
{
	for (uint32_t i = t->count; i-- > 0;)
		if (t->entry[i].kind == kind)
			return i;
	return NONE;
}

void
job_open_estimator(struct job *job)
{
	limits_open_estimator(&job->estimator, &job->counting, &job->run.fault);
	limits_check_outputs(&job->estimator, &job->options->common);
}

/* The tokens of the newest context record, which is the one in force. */
static uint64_t
count_context(struct job *job)
{
	uint32_t i = job_find_last(&job->held.session, RECORD_CONTEXT);
	struct message context;

	if (i == NONE)
		return 0;
	entry_parse(&job->held.session.entry[i], &context);
	return estimate_context(&job->estimator, &context);
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The target that the user gave, or what the budget has for one. */
static uint64_t
asked_target(const struct job *job)
{
	return size_of_window(job->options->target, job->budget.window, job->budget.target);
}

static void
set_limits(struct job *job)
{
	enum { KEEP_TOKENS = 20000 };
	const struct options *options = job->options;
	uint64_t window = job->budget.window, keep = least(KEEP_TOKENS, job->target / 2);

	if (options->keep_turns_given)
		keep = UINT64_MAX;
	keep = size_of_window(options->keep_tokens, window, keep);
	job->how.window.turns = options->keep_turns;
	job->how.window.is_given =
	    options->keep_turns_given || options->keep_tokens.unit != SIZE_UNSET;
	job->how.window.tokens = keep == UINT64_MAX ? keep : estimate_count(&job->estimator, keep);
	job->how.target = estimate_sum(&job->estimator, job->target);
	job->how.room = estimate_sum(&job->estimator, budget_room(&job->budget));
	job->how.best_effort = options->best_effort;
	job->how.prune_over = options->prune_over;
	job->how.error_tokens = estimate_count(&job->estimator, options->error_tokens);
}

/* Whether all messages are counted at the start: learning from usage needs all counts, and a
 * command counts all texts in one run. */
static bool
counts_all(const struct estimator *estimator)
{
	return estimator->kind == ESTIMATOR_COMMAND || estimator->kind == ESTIMATOR_USAGE ||
	    estimator->kind == ESTIMATOR_CALIBRATED;
}

void
job_measure(struct job *job)
{
	struct budget_limits limits = job->options->limits;

	if (counts_all(&job->estimator))
		estimate_session(&job->estimator, &job->held.session);
	session_learn_all(&job->held.session);
	limits_fit(&job->estimator, &job->counting, &job->held.session);
	budget_record_read(job, &limits);
	job->system = count_context(job);
	if (fault_is_set(&job->run.fault))
		return;
	job->budget.estimator = job->estimator.name;
	budget_set(&job->budget, &limits, 0, job->system);
	job->target = least(budget_room(&job->budget), asked_target(job));
	set_limits(job);
	compaction_init(&job->compaction, &job->held.session, &job->estimator, &job->how,
	    summary_find(&job->held.session));
}

/* Whether the session has more than that many tokens. The least that each message can have may
 * decide it; if not, messages are counted, the newest first. */
static bool
has_more(struct job *job, uint64_t tokens)
{
	struct session *t = &job->held.session;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < t->count && sum <= tokens; i++)
		if (t->entry[i].kind == RECORD_MESSAGE && !t->entry[i].outside)
			sum += t->entry[i].tokens != 0 ? t->entry[i].tokens :
							 weigh_least(&job->estimator, 0);
	if (sum > tokens)
		return true;
	sum = 0;
	for (uint32_t i = t->count; i-- > 0 && sum <= tokens;)
		sum += weigh_entry(t, i, &job->estimator);
	return sum > tokens;
}

bool
job_is_due(struct job *job)
{
	uint64_t due = budget_due(&job->budget);
	uint64_t room = budget_room(&job->budget);

	if (job->options->force || job->is_triggered || due == 0)
		return true;
	due = least(due - 1, room);
	return has_more(job, estimate_sum(&job->estimator, due)) ||
	    estimate_cost(&job->estimator, 0) > due;
}

static void
say_cut(const struct job *job, uint64_t asked)
{
	struct buf target = BUF_INIT, room = BUF_INIT;

	number_write_grouped(&target, asked);
	number_write_grouped(&room, job->target);
	diag_warn("the target is %.*s tokens, more than %s: taken for %.*s%s",
	    STR_ARG(buf_str(&target)),
	    job->budget.is_limit ? "--limit and prompt leave" : "the reserves leave",
	    STR_ARG(buf_str(&room)),
	    job->budget.is_limit ? "" : " (--reserve-output says what is kept)");
	buf_free(&target);
	buf_free(&room);
}

static void
say_idle(const struct job *job)
{
	struct buf used = BUF_INIT, due = BUF_INIT;

	number_write_grouped(&used, job->budget.used);
	number_write_grouped(&due, budget_due(&job->budget));
	diag_warn("nothing was due: %.*s tokens are used, and it is time from %.*s on (--force "
		  "does not wait)",
	    STR_ARG(buf_str(&used)), STR_ARG(buf_str(&due)));
	buf_free(&used);
	buf_free(&due);
}

void
job_say_target(const struct job *job)
{
	uint64_t asked = asked_target(job);

	if (job->options->target.unit == SIZE_UNSET)
		return;
	if (asked > job->target)
		say_cut(job, asked);
	if (!job->is_due && job->budget.used > job->target)
		say_idle(job);
}
