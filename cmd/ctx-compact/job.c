#include "job.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/session/session_builder.h"
#include "data/session/session_calls.h"
#include "policy/budget/session_model.h"
#include "policy/summary/summary.h"

uint32_t
job_find_last(const struct session *t, enum record_kind kind)
{
	for (uint32_t i = t->count; i-- > 0;)
		if (t->entry[i].kind == kind)
			return i;
	return NONE;
}

/* The estimator of that name that sessions share. */
static struct estimator *
find_estimator(struct ctx_compact *all, const struct estimator_options *options)
{
	const char *name = options->name != NULL ? options->name : "";
	struct job_estimator *opened = all->estimators;
	struct estimator_options own = *options;
	size_t size = strlen(name) + 1;

	while (opened != NULL && strcmp(opened->name, name) != 0)
		opened = opened->next;
	if (opened != NULL)
		return &opened->estimator;
	opened = mem_alloc(1, sizeof *opened);
	opened->name = mem_alloc(1, size);
	memcpy(opened->name, name, size);
	own.name = options->name != NULL ? opened->name : NULL;
	limits_open_estimator(&opened->estimator, &own, &all->options.common, &all->run->fault);
	opened->next = all->estimators;
	all->estimators = opened;
	return &opened->estimator;
}

void
job_open_estimator(struct job *job)
{
	job->estimator = estimator_share(find_estimator(job->all, &job->counting), &job->own);
}

void
job_close_estimators(struct ctx_compact *all)
{
	struct job_estimator *next;

	for (struct job_estimator *opened = all->estimators; opened != NULL; opened = next) {
		next = opened->next;
		estimator_close(&opened->estimator);
		free(opened->name);
		free(opened);
	}
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
	return estimate_context(job->estimator, &context);
}

/* The target that the user gave, or the target of the budget. */
static uint64_t
asked_target(const struct job *job)
{
	uint64_t target = job->budget.target;

	if (job->target_share > 0)
		target = number_least(
		    job->budget.window * job->target_share / 100, job->budget.soft - 1);
	return size_of_window(job->options->target, job->budget.window, target);
}

/* A session compacted to a target over the threshold would be due again at once. */
static bool
check_target(const struct job *job)
{
	const struct options *options = job->options;
	uint64_t target = asked_target(job);

	if (options->target.unit == SIZE_UNSET || options->limits.soft.unit == SIZE_UNSET ||
	    job->budget.soft > target)
		return true;
	return fault_set(job->held.stage.fault, STATUS_USAGE,
	    "--soft is %ju tokens, and must be more than --target, which is %ju",
	    (uintmax_t)job->budget.soft, (uintmax_t)target);
}

static void
set_limits(struct job *job)
{
	enum { KEEP_TOKENS = 20000 };
	const struct options *options = job->options;
	uint64_t window = job->budget.window, keep = number_least(KEEP_TOKENS, job->target / 2);

	if (options->keep_turns_given || options->keep_messages_given)
		keep = UINT64_MAX;
	keep = size_of_window(options->keep_tokens, window, keep);
	job->how.window.turns = options->keep_turns;
	if (options->keep_messages_given && !options->keep_turns_given)
		job->how.window.turns = UINT32_MAX;
	job->how.window.messages =
	    options->keep_messages_given ? options->keep_messages : UINT64_MAX;
	job->how.window.is_given = options->keep_turns_given || options->keep_messages_given ||
	    options->keep_tokens.unit != SIZE_UNSET;
	job->how.window.tokens = keep == UINT64_MAX ? keep : estimate_count(job->estimator, keep);
	job->how.target = estimate_sum(job->estimator, job->target);
	job->how.room = estimate_sum(job->estimator, budget_room(&job->budget));
	job->how.best_effort = options->best_effort;
	job->how.limits = budget_has_trigger(&job->limits) ? &job->limits : NULL;
	job->how.when = job->when;
	job->how.prune_in_tokens = options->prune_over.unit == SIZE_TOKENS;
	job->how.prune_over = options->prune_over.value;
	if (job->how.prune_in_tokens)
		job->how.prune_over = estimate_count(job->estimator, job->how.prune_over);
	job->how.summary_tokens = estimate_count(job->estimator, options->summary_tokens);
	job->how.summary_is_given = options->summary_tokens_given;
	job->how.error_tokens = estimate_count(job->estimator, options->error_tokens);
}

/* Finds the model whose window is the session's, if neither an option nor a budget record gives the
 * window. */
static void
find_session_model(struct job *job)
{
	struct session_model named;

	session_model_init(
	    &named, limits_session_models(&job->options->model, &job->models, &job->limits));
	session_model_find(&named, &job->held.session);
	job->budget.session_model = named.found;
	session_model_free(&named);
}

void
job_measure(struct job *job)
{
	if (job->estimator->kind == ESTIMATOR_COMMAND) /* all texts in one run */
		estimate_session(job->estimator, &job->held.session);
	session_learn_all(&job->held.session);
	limits_fit(job->estimator, &job->counting, &job->held.session);
	job->limits = job->options->limits;
	budget_record_read(job);
	find_session_model(job);
	job->system = count_context(job);
	if (fault_is_set(&job->run->fault))
		return;
	job->budget.estimator = job->estimator->name;
	budget_set(&job->budget, &job->limits, 0, job->system);
	if (!check_target(job))
		return;
	job->target = number_least(budget_room(&job->budget), asked_target(job));
	set_limits(job);
	compaction_init(&job->compaction, &job->held.session, job->estimator, &job->how,
	    summary_find(&job->held.session));
}

/* Whether the session as it came has more tokens than that, as the estimator reports them. */
static bool
has_more(struct job *job, uint64_t tokens)
{
	return weigh_exceeds(
	    &job->held.session, estimate_sum(job->estimator, tokens), job->estimator);
}

bool
job_is_overrun(struct job *job)
{
	return has_more(job, budget_room(&job->budget));
}

uint64_t
job_weigh_before(struct job *job)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < job->held.session.count; i++)
		sum += weigh_original(&job->held.session, i, job->estimator);
	return estimate_cost(job->estimator, sum);
}

static bool
is_due_by_tokens(struct job *job)
{
	uint64_t due = budget_due(&job->budget);

	if (due == 0)
		return true;
	due = number_least(due - 1, budget_room(&job->budget));
	return has_more(job, due) || estimate_cost(job->estimator, 0) > due;
}

bool
job_is_due(struct job *job)
{
	if (job->options->force || job->is_triggered || is_due_by_tokens(job))
		return true;
	/* A trigger compacts to its own limit, without regard to tokens. */
	job->how.target = job->how.room;
	return job->compaction.goals.fired != 0;
}

static void
add_left(struct session *left, struct str raw, struct str text)
{
	struct line line = {.raw = raw, .text = text};
	struct message message;

	message_parse(&message, text);
	session_add(left, &line, &message);
}

/* Adds the remaining messages to a session of their own, as a reader of the output would. */
static void
read_left(const struct session *t, struct session *left)
{
	const struct change *added;
	uint32_t next = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		while ((added = change_next_added(t, i, &next)) != NULL)
			add_left(
			    left, str_of(added->raw, added->len), str_of(added->raw, added->len));
		if (entry->kind == RECORD_MESSAGE && !entry->is_dropped)
			add_left(left, str_of(entry->raw, entry->len), entry_text(entry));
	}
	session_end(left);
}

/* The triggers that fire for the remaining messages, as bits. */
static unsigned
fired_for_left(struct job *job)
{
	struct framing framing;
	struct session left;
	struct goals goals;
	unsigned fired;

	if (!job->is_changed || job->how.limits == NULL)
		return job->compaction.goals.fired;
	session_init(&left);
	read_left(&job->held.session, &left);
	framing = framing_find(&left, facts_framing(&left, summary_find(&left)));
	goals_init(&goals, &left, &job->limits, job->when, &framing, job->estimator);
	fired = goals.fired;
	goals_free(&goals);
	session_free(&left);
	return fired;
}

void
job_recount(struct job *job)
{
	job->is_changed = job->held.session.change_count > 0;
	if (job->is_changed)
		job->budget.said = 0;
	job->budget.said |= fired_for_left(job);
	budget_reuse(
	    &job->budget, estimate_cost(job->estimator, compaction_used(&job->compaction)));
	job->is_met = job->budget.used <= budget_room(&job->budget);
	job->budget.hard_stop = !job->is_met;
}

static void
say_cut(const struct job *job, uint64_t asked)
{
	diag_warn("the target is %s tokens, more than %s: taken for %s%s",
	    number_grouped(asked).text,
	    job->budget.limits->limit.unit != SIZE_UNSET ? "--limit and prompt leave" :
							   "the reserves leave",
	    number_grouped(job->target).text,
	    job->budget.limits->limit.unit != SIZE_UNSET ? "" :
							   " (--reserve-output says what is kept)");
}

/* With --force all was done that could be. */
static void
say_missed(const struct job *job)
{
	struct buf target = BUF_INIT, used = BUF_INIT;

	number_write_grouped(&target, job->target);
	number_write_grouped(&used, job->budget.used);
	diag_warn("the target of %.*s tokens is not met: %.*s are left", STR_ARG(buf_str(&target)),
	    STR_ARG(buf_str(&used)));
	buf_free(&target);
	buf_free(&used);
}

void
job_say_outside(const struct job *job)
{
	const struct session *t = &job->held.session;
	uint64_t count = 0;

	for (uint32_t i = 0; i < t->count; i++)
		count += t->entry[i].kind == RECORD_MESSAGE && t->entry[i].outside;
	if (count > 0)
		diag_warn("%ju message%s of other agents not counted", (uintmax_t)count,
		    count == 1 ? "" : "s");
}

void
job_say_target(const struct job *job)
{
	uint64_t asked = asked_target(job);

	if (job->options->target.unit == SIZE_UNSET)
		return;
	if (asked > job->target)
		say_cut(job, asked);
	if (!job->is_due && job->delay == DELAY_NONE && job->budget.used > job->target)
		diag_warn("nothing was due: %s tokens are used, and it is time from %s on (--force "
			  "does not wait)",
		    number_grouped(job->budget.used).text,
		    number_grouped(budget_due(&job->budget)).text);
	if (job->options->force && job->is_met && !job->is_refused &&
	    job->budget.used > job->target)
		say_missed(job);
}
