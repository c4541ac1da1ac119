#include "job.h"

#include "json/text.h"
#include "policy/compact/summary.h"

static uint32_t
find_last(const struct session *t, enum record_kind kind)
{
	for (uint32_t i = t->count; i-- > 0;)
		if (t->entry[i].kind == kind)
			return i;
	return NONE;
}

/* Whether name is an estimator that is no command: only the user may say what runs, never the
 * data. */
static bool
is_built_in(struct str name, const char *copy)
{
	struct estimator estimator;

	return strlen(copy) == name.len && estimator_init(&estimator, copy) &&
	    estimator.kind != ESTIMATOR_COMMAND;
}

/* Takes the estimator that the budget record names. The copy of its name lives as long as the
 * session. */
static void
read_estimator(struct job *job)
{
	struct buf text = BUF_INIT;
	struct message message;
	struct json_value member;
	struct str name;
	char *copy;

	entry_parse(&job->held.session.entry[job->budget_entry], &message);
	member = json_find(message.value, STR("estimator"));
	if (member.type != JSON_STRING)
		return;
	name = json_text(member, &text);
	copy = arena_zalloc(&job->held.session.arena, 1, name.len + 1);
	memcpy(copy, name.ptr, name.len);
	if (is_built_in(name, copy))
		job->counting.name = copy;
	else
		diag_warn("the budget record's estimator '%.80s' is not built in: counted with "
			  "o200k_base",
		    copy);
	buf_free(&text);
}

void
job_open_estimator(struct job *job)
{
	job->counting = job->options->estimator;
	job->budget_entry = find_last(&job->held.session, RECORD_BUDGET);
	if (job->counting.name == NULL && job->budget_entry != NONE)
		read_estimator(job);
	limits_open_estimator(&job->estimator, &job->counting, &job->run.fault);
	limits_check_outputs(&job->estimator, &job->options->common);
}

/* Whether a budget record has a reason that counting tokens does not find again: a trigger. */
static bool
has_trigger(struct json_value record)
{
	struct json_value reasons = json_find(record, STR("reasons"));
	struct json_walk walk;

	json_walk_open(&walk, reasons);
	while (reasons.type == JSON_ARRAY && json_walk_next(&walk))
		if (!json_is(walk.value, budget_reason_name(BUDGET_SOFT_THRESHOLD)) &&
		    !json_is(walk.value, budget_reason_name(BUDGET_HEADROOM)))
			return true;
	return false;
}

/* The limits of the newest budget record. */
static void
read_budget(struct job *job, struct budget_limits *limits)
{
	struct message message;

	if (job->budget_entry == NONE)
		return;
	entry_parse(&job->held.session.entry[job->budget_entry], &message);
	budget_read(message.value, limits);
	job->is_triggered = has_trigger(message.value);
}

/* The tokens of the newest context record, which is the one in force. */
static uint64_t
count_context(struct job *job)
{
	uint32_t i = find_last(&job->held.session, RECORD_CONTEXT);
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
	uint64_t system;

	if (counts_all(&job->estimator))
		estimate_session(&job->estimator, &job->held.session);
	session_learn_all(&job->held.session);
	limits_fit(&job->estimator, &job->counting, &job->held.session);
	read_budget(job, &limits);
	system = count_context(job);
	if (fault_is_set(&job->run.fault))
		return;
	job->budget.estimator = job->estimator.name;
	budget_set(&job->budget, &limits, 0, system);
	job->target = least(budget_room(&job->budget),
	    size_of_window(job->options->target, job->budget.window, job->budget.window / 2));
	set_limits(job);
	compaction_init(&job->compaction, &job->held.session, &job->estimator, &job->how,
	    summary_find(&job->held.session));
}

/* Whether the session has more than that many tokens. The least that each message can have may
 * decide it; if not, messages are counted, the newest first. */
static bool
is_over(struct job *job, uint64_t tokens)
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
	return is_over(job, estimate_sum(&job->estimator, due)) ||
	    estimate_cost(&job->estimator, 0) > due;
}
