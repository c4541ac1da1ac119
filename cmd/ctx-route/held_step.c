#include "held_step.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/session/session_builder.h"
#include "data/session/session_locks.h"
#include "policy/clear.h"

void
held_step_init(struct held_step *hold)
{
	*hold =
	    (struct held_step){.queue = QUEUE_OF(struct held_step_record), .candidate = QUEUE_NONE};
}

void
held_step_free(struct held_step *hold)
{
	queue_free(&hold->queue);
	map_free(&hold->gone);
}

void
held_step_change(struct record *held, struct json_edit *edit)
{
	struct record old = *held;

	old.edit = edit;
	old.state = RECORD_CHANGED;
	record_hold(held, &old);
	record_release(&old);
}

/* The held record that is that entry of the session. */
static struct held_step_record *
record_of(const struct held_step *hold, uint32_t entry)
{
	return queue_at(&hold->queue, hold->queue.first + entry);
}

static bool
is_needed(const struct session *session, const struct entry *entry)
{
	const struct group *group;

	if (entry->group == NONE)
		return entry->is_pinned;
	group = &session->group[entry->group];
	/* A later result needs its call, even a call that another one resolved. */
	return group->answered + group->waived < group->calls ||
	    session_group_lock(session, group) != LOCK_NONE;
}

/* Notes the calls of a dropped record whose results may still come. */
static void
note_gone(struct held_step *hold, const struct session *session, uint32_t index)
{
	const struct entry *entry = &session->entry[index];
	const struct group *group;

	if (!entry->has_calls)
		return;
	group = &session->group[entry->group];
	for (uint32_t i = 0; i < group->calls; i++)
		if (session->call[group->first_call + i].result == NONE)
			map_set(&hold->gone,
			    hash_number(
				record_of(hold, index)->first_call + i, hash_seed(HASH_CALL)),
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
	bool *goes = mem_alloc(hold->queue.end - hold->queue.first, sizeof *goes);
	struct session session;
	uint32_t first = 0;

	session_init(&session);
	session_set_current(&session, CURRENT_NONE, STR(""));
	walk_set_agent(&session.walk, buf_str(&walk->agent));
	session.walk.steering = walk->steering;
	session.ends_execution = true;
	for (size_t i = hold->queue.first; i < hold->queue.end; i++) {
		const struct record *record = queue_record(&hold->queue, i);
		struct message message = {.kind = RECORD_BAD};

		if (record->kind != RECORD_BAD)
			message_parse(&message, record->line.text);
		session_add(&session, &record->line, &message);
	}
	session_end(&session);
	for (uint32_t i = 0; i < session.count; i++)
		goes[i] = record_of(hold, i)->held.fate == FATE_GONE ||
		    (record_of(hold, i)->may_drop && !is_needed(&session, &session.entry[i]));
	while (first < session.count && session.entry[first].kind != RECORD_MESSAGE)
		first++;
	if (is_start)
		clear_keep_agent(&session, first, goes);
	for (uint32_t i = 0; i < session.count; i++) {
		record_of(hold, i)->held.fate = goes[i] ? FATE_GONE : FATE_FINAL;
		if (goes[i])
			note_gone(hold, &session, i);
	}
	session_free(&session);
	free(goes);
}
