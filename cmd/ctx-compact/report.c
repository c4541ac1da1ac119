#include "job.h"

static uint64_t
count_action(const struct job *job, enum action action)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < job->session.count; i++)
		count += job->compaction.action[i] == action &&
		    !job->session.entry[i].is_dropped;
	return count;
}

/* Whether a message was dropped; a record that is none is somebody else's affair. */
static bool
is_dropped(const struct job *job, uint32_t index)
{
	return job->compaction.keep[index] != KEEP_FOREIGN && job->session.entry[index].is_dropped;
}

static uint64_t
count_dropped(const struct job *job)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < job->session.count; i++)
		count += is_dropped(job, i);
	return count;
}

static void
put_count(const struct job *job, struct json_writer *w, struct str name, enum action action)
{
	json_member_integer(w, name, (int64_t)count_action(job, action));
}

static void
write_transforms(const struct job *job, struct json_writer *w)
{
	json_name(w, STR("dedupe"));
	json_open(w, '{');
	put_count(job, w, STR("stale"), ACTION_STALE);
	put_count(job, w, STR("superseded"), ACTION_SUPERSEDED);
	put_count(job, w, STR("duplicate"), ACTION_DUPLICATE);
	json_close(w);
	json_name(w, STR("prune"));
	json_open(w, '{');
	put_count(job, w, STR("shortened"), ACTION_SHORTEN);
	put_count(job, w, STR("removed"), ACTION_REMOVE);
	put_count(job, w, STR("errors"), ACTION_ERROR);
	json_close(w);
	json_name(w, STR("truncate"));
	json_open(w, '{');
	json_member_integer(w, STR("dropped"), (int64_t)count_dropped(job));
	put_count(job, w, STR("cut"), ACTION_MIDDLE);
	json_close(w);
}

static bool
is_touched(const struct job *job, uint32_t index)
{
	return index == job->compaction.added_before ||
	    job->compaction.action[index] != ACTION_NONE ||
	    is_dropped(job, index);
}

/* What a provider's cache of the prompt is worth: how much of it stays as it was. */
static void
write_prefix(const struct job *job, struct json_writer *w)
{
	uint64_t tokens = 0, line = 1;
	uint32_t i = 0;

	for (; i < job->session.count && !is_touched(job, i); i++) {
		line += i + 1 < job->session.count && !job->session.entry[i + 1].is_continued;
		tokens += job->compaction.tokens_before[i];
	}
	json_name(w, STR("first_changed"));
	if (i < job->session.count)
		json_put_integer(w, (int64_t)line);
	else
		json_put_raw(w, STR("null"));
	json_member_integer(w, STR("prefix_tokens"), (int64_t)tokens);
}

void
report_write(struct job *job)
{
	struct json_writer *w = filter_report(&job->filter);
	const struct compaction *c = &job->compaction;
	uint64_t before = estimate_cost(&job->estimator, c->used_before);
	uint64_t after = estimate_cost(&job->estimator, c->used);
	uint64_t messages = job->filter.counts.messages;

	json_member_string(w, STR("estimator"), str_from(job->budget.estimator));
	json_member_integer(w, STR("window"), (int64_t)job->budget.window);
	json_member_integer(w, STR("room"), (int64_t)budget_room(&job->budget));
	json_member_integer(w, STR("target"), (int64_t)job->target);
	json_member_integer(w, STR("tokens_before"), (int64_t)before);
	json_member_integer(w, STR("tokens_after"), (int64_t)after);
	json_member_integer(w, STR("messages_before"), (int64_t)messages);
	json_member_integer(w, STR("messages_after"),
	    (int64_t)(messages - count_dropped(job) + (c->added.len > 0)));
	json_member_bool(w, STR("budget_met"), job->is_met);
	json_member_bool(w, STR("target_met"), after <= job->target);
	write_transforms(job, w);
	write_prefix(job, w);
}
