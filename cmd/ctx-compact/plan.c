#include "job.h"

/* One unit of the plan: a message, or a group from its call on. */
struct unit {
	uint64_t messages;
	uint64_t before;
	uint64_t after;
	enum action action; /* the first that is one */
};

static void
add(const struct job *job, uint32_t index, struct unit *unit)
{
	const struct entry *entry = &job->session.entry[index];

	unit->messages++;
	unit->before += job->compaction.tokens_before[index];
	unit->after += entry->is_dropped ? 0 : entry->tokens;
	if (unit->action == ACTION_NONE)
		unit->action = (enum action)job->compaction.action[index];
}

static struct unit
measure(const struct job *job, uint32_t index)
{
	const struct session *t = &job->session;
	struct unit unit = {.action = ACTION_NONE};
	const struct group *group;

	add(job, index, &unit);
	if (t->entry[index].group == NONE)
		return unit;
	group = &t->group[t->entry[index].group];
	for (uint32_t i = 0; i < group->calls; i++)
		if (t->call[group->first_call + i].result != NONE)
			add(job, t->call[group->first_call + i].result, &unit);
	return unit;
}

static void
put_action(struct json_writer *w, const char *action, const char *reason)
{
	json_member_string(w, STR("action"), str_from(action));
	json_member_string(w, STR("reason"), str_from(reason));
}

static void
name_action(const struct job *job, uint32_t index, enum action action, struct json_writer *w)
{
	static const struct {
		const char *action;
		const char *reason;
	} names[ACTION_COUNT] = {
	    [ACTION_STALE] = {"dedupe", "stale"},
	    [ACTION_SUPERSEDED] = {"dedupe", "superseded"},
	    [ACTION_DUPLICATE] = {"dedupe", "duplicate"},
	    [ACTION_SHORTEN] = {"prune", "long"},
	    [ACTION_ERROR] = {"prune", "long error text"},
	    [ACTION_REMOVE] = {"prune", "long result"},
	    [ACTION_MIDDLE] = {"cut", "longest"},
	    [ACTION_UPDATE] = {"update", "facts of dropped messages"},
	};

	if (job->session.entry[index].is_dropped)
		put_action(w, "drop", "oldest");
	else if (action != ACTION_NONE)
		put_action(w, names[action].action, names[action].reason);
	else
		put_action(w, "keep", keep_name((enum keep)job->compaction.keep[index]));
}

static void
put_unit(struct json_writer *w, const struct unit *unit)
{
	json_member_integer(w, STR("messages"), (int64_t)unit->messages);
	json_member_integer(w, STR("tokens_before"), (int64_t)unit->before);
	json_member_integer(w, STR("tokens_after"), (int64_t)unit->after);
}

static void
write_line(struct job *job, struct buf *text)
{
	output_begin_record(&job->filter.out);
	output_copy(&job->filter.out, buf_str(text));
	output_begin_record(&job->filter.out);
	buf_reset(text);
}

static void
write_unit(struct job *job, uint32_t index, uint64_t line, struct buf *text)
{
	const struct session *t = &job->session;
	const struct entry *entry = &t->entry[index];
	struct unit unit = measure(job, index);
	struct json_writer w;

	json_writer_init(&w, text);
	json_open(&w, '{');
	json_member_integer(&w, STR("line"), (int64_t)line);
	json_member_string(&w, STR("role"), role_name((enum role)entry->role));
	if (entry->group != NONE)
		json_member_string(&w, STR("tool"),
		    t->call[t->group[entry->group].first_call].name);
	json_member_string(&w, STR("execution"), t->execution[entry->execution].id);
	name_action(job, index, unit.action, &w);
	put_unit(&w, &unit);
	json_close(&w);
	write_line(job, text);
}

/* The new artifact has no line yet. */
static void
write_added(struct job *job, struct buf *text)
{
	struct unit unit = {1, 0, job->compaction.added_tokens, ACTION_NONE};
	struct json_writer w;

	json_writer_init(&w, text);
	json_open(&w, '{');
	json_member_raw(&w, STR("line"), STR("null"));
	json_member_string(&w, STR("role"), STR("user"));
	put_action(&w, "add", "facts of dropped messages");
	put_unit(&w, &unit);
	json_close(&w);
	write_line(job, text);
}

/* A result is part of its call's line. */
static bool
has_line(const struct job *job, uint32_t index)
{
	const struct entry *entry = &job->session.entry[index];

	return job->compaction.keep[index] != KEEP_FOREIGN &&
	    (entry->group == NONE || job->session.group[entry->group].entry == index);
}

void
plan_write(struct job *job)
{
	struct buf text = BUF_INIT;
	uint64_t line = 0;

	for (uint32_t i = 0; i < job->session.count; i++) {
		line += !job->session.entry[i].is_continued;
		if (i == job->compaction.added_before)
			write_added(job, &text);
		if (has_line(job, i))
			write_unit(job, i, line, &text);
	}
	if (job->compaction.added_before == job->session.count)
		write_added(job, &text);
	buf_free(&text);
}
