#include "held_step.h"

#include <stdlib.h>

#include "base/list.h"

void
held_step_init(struct held_step *hold)
{
	*hold = (struct held_step){.candidate = HOLD_NONE};
}

void
held_step_free(struct held_step *hold)
{
	for (size_t i = 0; i < hold->count; i++)
		record_release(&hold->record[i].record);
	free(hold->record);
	map_free(&hold->gone);
}

struct held_step_record *
held_step_add(struct held_step *hold, const struct record *record, uint32_t first_call)
{
	struct held_step_record *held;

	LIST_ROOM(hold->record, hold->count, hold->cap);
	held = &hold->record[hold->count++];
	held->first_call = first_call;
	held->may_drop = held->is_dropped = false;
	record_hold(&held->record, record);
	return held;
}

void
held_step_change(struct held_step_record *held, struct json_edit *edit)
{
	struct record old = held->record;

	old.edit = edit;
	old.state = RECORD_CHANGED;
	record_hold(&held->record, &old);
	record_release(&old);
}

/* Adds a held record to the session. */
static void
add_to(struct session *session, struct record *record)
{
	struct message message = {.kind = RECORD_BAD};

	if (record->kind != RECORD_BAD)
		message_parse(&message, record->line.text);
	session_add(session, &record->line, &message);
}

static bool
is_needed(const struct session *session, const struct entry *entry)
{
	const struct group *group;

	if (entry->group == NONE)
		return entry->is_pinned;
	group = &session->group[entry->group];
	/* A result that comes later needs its call, even one that another call resolved. */
	return group->answered + group->waived < group->calls ||
	    session_group_lock(session, group) != LOCK_NONE;
}

static bool
is_paired(const struct entry *a, const struct entry *b)
{
	return a->group != NONE && a->group == b->group;
}

/* Keeps the first message, or its group, if another agent's would be the first without it. */
static void
keep_agent(struct held_step *hold, const struct session *session)
{
	size_t first = 0, left;

	while (first < hold->count && session->entry[first].kind != RECORD_MESSAGE)
		first++;
	for (left = first; left < hold->count; left++)
		if (session->entry[left].kind == RECORD_MESSAGE && !hold->record[left].is_dropped)
			break;
	if (left == hold->count || !session->entry[left].outside)
		return;
	for (size_t i = first; i < hold->count; i++)
		if (i == first || is_paired(&session->entry[i], &session->entry[first]))
			hold->record[i].is_dropped = false;
}

/* Notes the calls of a dropped record whose results may still come. */
static void
note_gone(struct held_step *hold, const struct session *session, size_t index)
{
	const struct entry *entry = &session->entry[index];
	const struct group *group;

	if (!hold->record[index].is_dropped || !entry->has_calls)
		return;
	group = &session->group[entry->group];
	for (uint32_t i = 0; i < group->calls; i++)
		if (session->call[group->first_call + i].result == NONE)
			map_set(&hold->gone,
			    hash_number(hold->record[index].first_call + i, hash_seed(HASH_CALL)),
			    0);
}

bool
held_step_has_dropped(struct held_step *hold, uint32_t call)
{
	struct hash key;

	if (hold->gone.count == 0)
		return false;
	key = hash_number(call, hash_seed(HASH_CALL));
	if (map_get(&hold->gone, key) == MAP_NONE)
		return false;
	map_remove(&hold->gone, key);
	return true;
}

void
held_step_drop(struct held_step *hold, const struct walk *walk, bool is_start)
{
	struct session session;

	session_init(&session);
	session_set_current(&session, CURRENT_NONE, STR(""));
	walk_set_agent(&session.walk, buf_str(&walk->agent));
	session.walk.steering = walk->steering;
	session.ends_execution = true;
	for (size_t i = 0; i < hold->count; i++)
		add_to(&session, &hold->record[i].record);
	session_end(&session);
	for (size_t i = 0; i < hold->count; i++)
		if (hold->record[i].may_drop && !is_needed(&session, &session.entry[i]))
			hold->record[i].is_dropped = true;
	if (is_start)
		keep_agent(hold, &session);
	for (size_t i = 0; i < hold->count; i++)
		note_gone(hold, &session, i);
	session_free(&session);
}

size_t
held_step_emit(struct held_step *hold, struct stage *stage)
{
	size_t dropped = 0;

	for (size_t i = 0; i < hold->count; i++) {
		struct held_step_record *held = &hold->record[i];

		if (held->is_dropped)
			dropped++;
		else
			stage_emit_held(stage, &held->record);
		record_release(&held->record);
	}
	hold->count = 0;
	hold->candidate = HOLD_NONE;
	return dropped;
}
