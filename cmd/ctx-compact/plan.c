#include "job.h"

/* One unit of the plan: a message, or a whole group at the place of its call. */
struct unit {
	uint64_t messages;
	uint64_t before;
	uint64_t after;
	const struct change_rule *rule; /* the rule of the first changed message, or NULL */
};

struct plan {
	struct job *job;
	struct job_stay largest[REFUSAL_LARGEST];
	uint32_t next; /* the next added record */
	struct buf *text;
};

static void
add(struct job *job, uint32_t index, struct unit *unit)
{
	const struct change *change = change_of(&job->held.session, index);

	unit->messages++;
	unit->before += weigh_original(&job->held.session, index, job->estimator);
	if (!job->held.session.entry[index].is_dropped)
		unit->after += weigh_entry(&job->held.session, index, job->estimator);
	if (unit->rule == NULL && change != NULL)
		unit->rule = change->rule;
}

static struct unit
measure(struct job *job, uint32_t index)
{
	struct unit unit = {.rule = NULL};

	for (uint32_t at = 0, i; (i = session_unit_member(&job->held.session, index, &at)) != NONE;)
		add(job, i, &unit);
	return unit;
}

/* Of many sessions, each line has the key of its own. */
static void
open_line(struct plan *plan, struct json_writer *w)
{
	struct str key = plan->job->run->session;

	json_begin(w, plan->text, '{');
	if (key.len > 0)
		json_member_raw(w, STR("session"), key);
}

static void
put_action(struct json_writer *w, struct str action, struct str reason)
{
	json_member_string(w, STR("action"), action);
	json_member_string(w, STR("reason"), reason);
}

static void
put_unit(struct json_writer *w, const struct unit *unit)
{
	json_member_integer(w, STR("messages"), (int64_t)unit->messages);
	json_member_integer(w, STR("tokens_before"), (int64_t)unit->before);
	json_member_integer(w, STR("tokens_after"), (int64_t)unit->after);
}

/* Numbers the largest things that stay where the budget cannot be met: 1 is the largest. An added
 * message has line 0. */
static void
put_largest(struct plan *plan, struct json_writer *w, uint64_t line)
{
	for (unsigned i = 0; i < REFUSAL_LARGEST; i++)
		if (!plan->job->is_met && plan->largest[i].tokens > 0 &&
		    plan->largest[i].line == line)
			json_member_integer(w, STR("largest"), i + 1);
}

static void
write_unit(struct plan *plan, uint32_t index, uint64_t line)
{
	struct job *job = plan->job;
	const struct session *t = &job->held.session;
	const struct entry *entry = &t->entry[index];
	uint32_t call = session_call_of(t, entry);
	struct unit unit = measure(job, index);
	struct json_writer w;

	open_line(plan, &w);
	json_member_integer(&w, STR("line"), (int64_t)line);
	json_member_string(&w, STR("role"), role_name((enum role)entry->role));
	if (call != NONE)
		json_member_string(&w, STR("tool"), t->call[call].name);
	json_member_string(&w, STR("execution"), t->execution[entry->execution].id);
	if (unit.rule != NULL)
		put_action(&w, unit.rule->action, unit.rule->reason);
	else
		put_action(&w, STR("keep"),
		    str_from(job->is_met ? keep_name((enum keep)job->compaction.keep[index]) :
					   refusal_reason(job, index)));
	put_unit(&w, &unit);
	if (!job->is_met && !entry->is_dropped && refusal_option(job, index) != NULL)
		json_member_string(&w, STR("option"), str_from(refusal_option(job, index)));
	put_largest(plan, &w, line);
	json_close(&w);
	buf_add_char(plan->text, '\n');
}

/* Writes the records added before the entry. They are from no line, so line is null. */
static void
write_added(struct plan *plan, uint32_t entry)
{
	struct job *job = plan->job;

	const struct change *added;

	while ((added = change_next_added(&job->held.session, entry, &plan->next)) != NULL) {
		struct unit unit = {1, 0, added->after, NULL};
		struct message message;
		struct json_writer w;

		message_reread(&message, str_of(added->raw, added->len));
		open_line(plan, &w);
		json_member_raw(&w, STR("line"), STR("null"));
		json_member_string(&w, STR("role"), role_name(message.role));
		put_action(&w, added->rule->action, added->rule->reason);
		put_unit(&w, &unit);
		put_largest(plan, &w, 0);
		json_close(&w);
		buf_add_char(plan->text, '\n');
	}
}

void
plan_write(struct job *job, struct buf *text)
{
	struct plan plan = {.job = job, .text = text};
	uint64_t line = 0;

	if (!job->is_met)
		refusal_find(job, plan.largest);
	for (uint32_t i = 0; i < job->held.session.count; i++) {
		line += !job->held.session.entry[i].is_continued;
		write_added(&plan, i);
		/* A result is part of the line of its call. */
		if (job->compaction.keep[i] != KEEP_FOREIGN &&
		    session_is_head(&job->held.session, i))
			write_unit(&plan, i, line);
	}
	write_added(&plan, job->held.session.count);
}
