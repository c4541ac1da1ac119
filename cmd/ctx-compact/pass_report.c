#include "job.h"

#include "base/bounded.h"
#include "policy/filter/filter.h"

/* The number of messages whose last change was made by the rule. */
static uint64_t
count_rule(const struct session *t, const struct change_rule *rule)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < t->count; i++)
		count += change_of(t, i) != NULL && change_of(t, i)->rule == rule;
	return count;
}

/* How many messages were dropped, without those that are forgotten. */
static uint64_t
count_dropped(const struct session *t)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < t->count; i++)
		count += t->entry[i].is_dropped && !t->entry[i].is_forgotten;
	return count;
}

static void
write_transform(const struct job *job, const struct transform *transform, struct json_writer *w)
{
	if (transform->rule_count == 0)
		return;
	json_member_open(w, transform->name, '{');
	for (unsigned k = 0; k < transform->rule_count; k++)
		if (transform->rules[k].name.len > 0)
			json_member_integer(w, transform->rules[k].name,
			    (int64_t)count_rule(&job->held.session, &transform->rules[k]));
	json_close(w);
}

static bool
is_touched(const struct session *t, uint32_t index)
{
	return change_of(t, index) != NULL ||
	    (t->added_count > 0 && change_added(t, 0)->entry == index);
}

/* Writes how much of the session's start is unchanged, which a provider's prompt cache still
 * serves. Returns its tokens. */
static uint64_t
write_prefix(struct job *job, struct json_writer *w)
{
	const struct session *t = &job->held.session;
	uint64_t tokens = 0, line = 1;
	uint32_t i = 0;

	for (; i < t->count && !is_touched(t, i); i++) {
		line += i + 1 < t->count && !t->entry[i + 1].is_continued;
		tokens += weigh_entry(&job->held.session, i, job->estimator);
	}
	json_name(w, STR("first_changed"));
	if (i < t->count)
		json_put_integer(w, (int64_t)line);
	else
		json_put_raw(w, STR("null"));
	json_member_integer(w, STR("prefix_tokens"), (int64_t)tokens);
	return tokens;
}

static void
write_members(struct job *job, uint64_t before, uint64_t after, struct json_writer *w)
{
	const struct session *t = &job->held.session;
	uint64_t left = job->messages - count_dropped(t) + t->added_count;

	json_member_string(w, STR("estimator"), str_from(job->budget.estimator));
	if (job->model != NULL)
		model_write_estimator(job->model, job->budget.estimator, w);
	json_member_integer(w, STR("window"), (int64_t)job->budget.window);
	json_member_integer(w, STR("room"), (int64_t)budget_room(&job->budget));
	json_member_integer(w, STR("target"), (int64_t)job->target);
	json_member_integer(w, STR("tokens_before"), (int64_t)before);
	json_member_integer(w, STR("tokens_after"), (int64_t)after);
	json_member_integer(w, STR("messages_before"), (int64_t)job->messages);
	json_member_integer(w, STR("messages_after"), (int64_t)left);
	json_member_bool(w, STR("budget_met"), job->is_met);
	json_member_bool(w, STR("target_met"), after <= job->target);
	for (unsigned i = 0; i < TRANSFORM_COUNT; i++)
		write_transform(job, transform_table[i], w);
	if (filter_is_in(job->pipeline))
		write_transform(job, &filter_rules, w);
	summary_command_write(job, w);
	economy_write(job, before, write_prefix(job, w), w);
	if (job->delay == DELAY_BOUNDARY)
		json_member_string(w, STR("deferred"), STR("boundary"));
	if (job->delay == DELAY_DECIDED)
		json_member_string(w, STR("deferred"), STR("decided"));
	if (job->is_refused)
		json_member_integer(w, STR("refused_gain"), (int64_t)job->gain);
	job->all->tokens_before = bounded_add(job->all->tokens_before, before);
	job->all->tokens_after = bounded_add(job->all->tokens_after, after);
	job->all->messages_before += job->messages;
	job->all->messages_after += left;
}

/* Writes the report of one of many sessions as an object of its own. */
static void
write_one(struct job *job, uint64_t before, uint64_t after)
{
	struct str key = job->run->session;
	struct buf *each = &job->all->each;
	struct json_writer w;

	if (each->len > 0)
		buf_add_char(each, ',');
	json_begin(&w, each, '{');
	json_member_raw(&w, STR("session"), key.len > 0 ? key : STR("null"));
	write_members(job, before, after, &w);
	json_close(&w);
}

void
report_write(struct job *job)
{
	uint64_t before, after;

	if (!job->run->is_reported)
		return; /* the numbers take a count of all messages */
	before = job_weigh_before(job);
	after = estimate_cost(job->estimator, compaction_used(&job->compaction));
	if (job->run->is_keyed)
		write_one(job, before, after);
	else
		write_members(job, before, after, &job->run->members);
}

void
report_note(struct job *job)
{
	job->all->has_dropped |= count_dropped(&job->held.session) > 0;
	job->all->is_delayed[job->delay] = true;
}

void
report_finish(struct ctx_compact *all)
{
	struct json_writer *w = &all->run->members;

	if (all->has_dropped)
		buf_add_str(&all->run->said, STR("; no facts of what a view hid before"));
	if (all->is_delayed[DELAY_BOUNDARY])
		buf_add_str(&all->run->said, STR("; waits for the end of the execution"));
	if (all->is_delayed[DELAY_DECIDED])
		buf_add_str(&all->run->said, STR("; --decide says not yet"));
	if (!all->run->is_keyed || !all->run->is_reported)
		return;
	json_member_integer(w, STR("tokens_before"), (int64_t)all->tokens_before);
	json_member_integer(w, STR("tokens_after"), (int64_t)all->tokens_after);
	json_member_integer(w, STR("messages_before"), (int64_t)all->messages_before);
	json_member_integer(w, STR("messages_after"), (int64_t)all->messages_after);
	json_member_open(w, STR("each"), '[');
	json_put_raw(w, buf_str(&all->each));
	json_close(w);
}
