#include "policy/view/view.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/session/session_judgement.h"
#include "data/session/session_locks.h"

/* Whether trace is in the reasoning view even if the user did not ask for it, since it must not be
 * lost. */
static bool
is_kept_trace(const struct session *t, const struct entry *entry)
{
	const struct group *group;

	if (entry->group == NONE)
		return entry->is_pinned || entry_has_lost_call(entry);
	group = &t->group[entry->group];
	return group->unresolved > 0 || group->is_given_up ||
	    session_group_lock(t, group) > LOCK_OPEN;
}

/* Whether it is certain that trace is in the reasoning view, or that it is not. */
static bool
is_certain(const struct session *t, const struct entry *entry, enum view_trace trace)
{
	if (trace == VIEW_TRACE_CURRENT && session_head(t, entry)->is_artifact)
		return true;
	if (entry->group != NONE)
		return session_is_settled(t, &t->group[entry->group]);
	return entry->is_pinned || entry_has_lost_call(entry) ||
	    session_is_known(t, entry->execution);
}

/* Whether the user asks for each attempt of a call, and the newest one is unresolved. */
static enum term_answer
ask_again(const struct view_choice *choice, struct session *t, uint32_t index)
{
	const struct group *group = &t->group[index];
	enum term_answer answer = TERM_NO;

	if (choice->drops_attempts || group->failed_again == 0)
		return TERM_NO;
	for (uint32_t i = group->first_call; i < group->first_call + group->calls; i++) {
		uint32_t newest = session_newest_attempt(t, i);
		const struct group *last = &t->group[t->call[newest].group];

		if (newest != i && !session_is_judged(t, last))
			answer = TERM_UNKNOWN;
		else if (newest != i && (t->call[newest].is_unresolved || last->is_given_up))
			return TERM_YES;
	}
	return answer;
}

static enum term_answer
ask_chosen_trace(struct view_choice *choice, struct session *t, uint32_t index)
{
	const struct entry *head = session_head(t, &t->entry[index]);

	switch (choice->trace) {
	case VIEW_TRACE_CURRENT:
		return head->is_artifact || session_is_current_trace(t, head) ? TERM_YES : TERM_NO;
	case VIEW_TRACE_CHOSEN:
		return selection_decide(&choice->chosen, t, index);
	case VIEW_TRACE_ALL:
		return TERM_YES;
	case VIEW_TRACE_NONE:
		break;
	}
	return TERM_NO;
}

static enum term_answer
ask_trace(struct view_choice *choice, struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index];
	enum term_answer answer;

	if (!is_certain(t, entry, choice->trace))
		return TERM_UNKNOWN;
	if (is_kept_trace(t, entry))
		return TERM_YES;
	answer = ask_chosen_trace(choice, t, index);
	if (answer != TERM_NO || entry->group == NONE)
		return answer;
	return ask_again(choice, t, entry->group);
}

static enum term_answer
ask_view(struct view_choice *choice, struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index];

	switch (choice->view) {
	case VIEW_CONVERSATION:
		if (entry->origin == ORIGIN_USER && !entry->is_trace && entry->group == NONE)
			return TERM_YES;
		if (!t->has_ended && (index == t->answer || index == t->error))
			return TERM_UNKNOWN;
		return entry->is_final ? TERM_YES : TERM_NO;
	case VIEW_TRACE:
		return entry->is_trace ? TERM_YES : TERM_NO;
	case VIEW_REASONING:
		return entry->is_trace ? ask_trace(choice, t, index) : TERM_YES;
	case VIEW_ALL:
	case VIEW_AGENTS:
		break;
	}
	return TERM_YES;
}

/* Whether the entry is no attempt that failed again. */
static enum term_answer
ask_attempts(const struct view_choice *choice, const struct session *t, const struct entry *entry)
{
	const struct group *group = entry->group != NONE ? &t->group[entry->group] : NULL;

	if (!choice->drops_attempts || group == NULL)
		return TERM_YES;
	if (session_failed_again(t, group))
		return TERM_NO;
	return session_is_settled(t, group) ? TERM_YES : TERM_UNKNOWN;
}

enum term_answer
view_ask(struct view_choice *choice, struct session *t, uint32_t index)
{
	enum term_answer answer;

	if (t->entry[index].outside && choice->view != VIEW_AGENTS)
		return TERM_NO;
	answer = ask_attempts(choice, t, &t->entry[index]);
	if (answer != TERM_NO) {
		enum term_answer in_view = ask_view(choice, t, index);

		answer = in_view == TERM_YES ? answer : in_view;
	}
	if (answer != TERM_YES || choice->within == NULL)
		return answer;
	return selection_decide(choice->within, t, index);
}

void
view_apply(struct view_choice *choice, struct session *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->entry[i].kind == RECORD_MESSAGE)
			t->entry[i].is_dropped = view_ask(choice, t, i) != TERM_YES;
}

/* The index of the section in names, or count if the section is not there. */
static unsigned
section_index(struct str section, const struct str *names, unsigned count)
{
	unsigned i = 0;

	while (i < count && !str_eq(section, names[i]))
		i++;
	return i;
}

/* Whether the entry is left from an execution that another one followed, and is not current. */
static bool
is_of_past(const struct session *t, const struct entry *entry)
{
	const struct entry *head = session_head(t, entry);

	return head->execution != NONE && head->execution + 1 < t->execution_count &&
	    !session_is_current(t, head);
}

/* The index in names of the section in which the view has the entry. The rest of an earlier
 * execution is placed among the messages, since after them it would be read as work on the newest
 * request. */
static unsigned
place(struct session *t, const struct entry *entry, const struct str *names, unsigned count)
{
	unsigned section = section_index(session_section(t, entry), names, count), messages;

	if (section == count || !str_eq(names[section], STR("execution_buffer")) ||
	    !is_of_past(t, entry))
		return section;
	messages = section_index(STR("messages"), names, count);
	return messages < section ? messages : section;
}

/* Puts the entries of one section after the used entries of order; returns the new number. */
static uint32_t
put_section(const struct session *t, const unsigned *section, unsigned wanted, uint32_t *order,
    uint32_t used)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		if (section[i] == wanted && !entry->is_dropped && entry->kind != RECORD_CONTEXT &&
		    !record_kind_trails(entry->kind))
			order[used++] = i;
	}
	return used;
}

/* Puts context records, and the records before the first message that stays. */
static uint32_t
put_head(const struct session *t, uint32_t *order)
{
	bool before = true;
	uint32_t used = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		before = before && (entry->kind != RECORD_MESSAGE || entry->is_dropped);
		if (entry->kind == RECORD_CONTEXT ||
		    (before && entry->kind != RECORD_MESSAGE && !record_kind_trails(entry->kind)))
			order[used++] = i;
	}
	return used;
}

/* A record that is no message follows the nearest message before it that stays. */
static void
adopt_followers(const struct session *t, unsigned *section, unsigned none)
{
	unsigned kept = none;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		if (entry->kind == RECORD_MESSAGE && !entry->is_dropped)
			kept = section[i];
		else
			section[i] = kept;
	}
}

uint32_t
view_sections(
    struct session *t, const struct str *names, unsigned count, uint32_t prompt, uint32_t *order)
{
	static const struct str messages = STR_INIT("messages");
	unsigned *section = mem_alloc(t->count, sizeof *section), none, leading;
	bool leads = true;
	uint32_t used;

	if (count == 0) {
		names = &messages;
		count = 1;
	}
	none = count;
	leading = count + 1;
	for (uint32_t i = 0; i < t->count; i++) {
		struct entry *entry = &t->entry[i];

		section[i] = none;
		if (entry->kind != RECORD_MESSAGE)
			continue;
		section[i] = i == prompt ? leading : place(t, entry, names, count);
		leads = leads && (entry->outside || role_is_system(entry->role));
		if (section[i] == none)
			entry->is_dropped = true;
		else if (leads)
			section[i] = leading;
	}
	adopt_followers(t, section, none);
	used = put_head(t, order);
	used = put_section(t, section, leading, order, used);
	for (unsigned i = 0; i < count; i++)
		used = put_section(t, section, i, order, used);
	for (uint32_t i = 0; i < t->count; i++)
		if (record_kind_trails(t->entry[i].kind))
			order[used++] = i;
	free(section);
	return used;
}
