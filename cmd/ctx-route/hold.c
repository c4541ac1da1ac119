#include "hold.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/mem.h"

void
hold_init(struct hold *hold)
{
	*hold = (struct hold){.candidate = HOLD_NONE, .arena = ARENA_INIT};
}

void
hold_free(struct hold *hold)
{
	arena_free(&hold->arena);
	free(hold->record);
}

/* The bytes of a record: text, and what stands before and after it. */
static void
set_bytes(struct hold *hold, struct entry *entry, struct str before, struct str text,
    struct str after)
{
	size_t len = before.len + text.len + after.len;
	char *raw = arena_alloc(&hold->arena, len + JSON_PADDING);

	if (len >= UINT32_MAX)
		mem_exhausted();
	memcpy(raw, before.ptr, before.len);
	memcpy(raw + before.len, text.ptr, text.len);
	memcpy(raw + before.len + text.len, after.ptr, after.len);
	memset(raw + len, 0, JSON_PADDING);
	entry->raw = raw;
	entry->len = (uint32_t)len;
	entry->before = (uint8_t)before.len;
	entry->after = (uint8_t)after.len;
}

struct held *
hold_add(struct hold *hold, const struct line *line, enum record_kind kind, struct str text)
{
	const char *text_end = line->text.ptr + line->text.len;
	struct held *held;

	LIST_ROOM(hold->record, hold->count, hold->cap);
	held = &hold->record[hold->count++];
	*held = (struct held){.entry = {.kind = (uint8_t)kind, .is_continued = line->continued,
	    .is_changed = text.ptr != line->text.ptr}};
	set_bytes(hold, &held->entry,
	    str_of(line->raw.ptr, (size_t)(line->text.ptr - line->raw.ptr)), text,
	    str_of(text_end, (size_t)(line->raw.ptr + line->raw.len - text_end)));
	return held;
}

void
hold_replace(struct hold *hold, struct held *held, struct str text)
{
	struct entry old = held->entry;

	set_bytes(hold, &held->entry, str_of(old.raw, old.before), text,
	    str_of(old.raw + old.len - old.after, old.after));
	held->entry.is_changed = true;
}

/* Adds the record to a session of what is held. */
static void
transcribe(struct session *session, const struct entry *entry)
{
	struct line line = {.raw = str_of(entry->raw, entry->len), .text = entry_text(entry),
	    .continued = entry->is_continued};
	struct message message = {.kind = RECORD_BAD};

	if (entry->kind != RECORD_BAD)
		message_parse(&message, line.text);
	session_add(session, &line, &message);
}

static bool
is_needed(const struct session *session, const struct entry *entry)
{
	const struct group *group;

	if (entry->group == NONE)
		return entry->is_pinned;
	group = &session->group[entry->group];
	/* A result that comes later needs its call, even one that another call resolved. */
	return group->answered < group->calls || session_group_lock(session, group) != LOCK_NONE;
}

static bool
is_paired(const struct entry *a, const struct entry *b)
{
	return a->group != NONE && a->group == b->group;
}

/* Keeps the first message, or its group, if the first one without it would be another agent's. */
static void
keep_agent(struct hold *hold, const struct session *session)
{
	size_t first = 0, left;

	while (first < hold->count && session->entry[first].kind != RECORD_MESSAGE)
		first++;
	for (left = first; left < hold->count; left++)
		if (session->entry[left].kind == RECORD_MESSAGE &&
		    !hold->record[left].entry.is_dropped)
			break;
	if (left == hold->count || !session->entry[left].outside)
		return;
	for (size_t i = first; i < hold->count; i++)
		if (i == first || is_paired(&session->entry[i], &session->entry[first]))
			hold->record[i].entry.is_dropped = false;
}

void
hold_drop(struct hold *hold, struct str agent, bool is_start)
{
	struct session session;

	session_init(&session);
	session_set_current(&session, CURRENT_NONE, STR(""));
	walk_set_agent(&session.walk, agent);
	for (size_t i = 0; i < hold->count; i++)
		transcribe(&session, &hold->record[i].entry);
	session_end(&session);
	for (size_t i = 0; i < hold->count; i++)
		if (hold->record[i].may_drop && !is_needed(&session, &session.entry[i]))
			hold->record[i].entry.is_dropped = true;
	if (is_start)
		keep_agent(hold, &session);
	session_free(&session);
}

size_t
hold_write(struct hold *hold, struct filter *filter)
{
	size_t dropped = 0;

	for (size_t i = 0; i < hold->count; i++) {
		const struct entry *entry = &hold->record[i].entry;

		if (entry->is_dropped)
			dropped++;
		else
			filter_write_copy(filter, entry);
	}
	hold->count = 0;
	hold->candidate = HOLD_NONE;
	arena_reset(&hold->arena);
	return dropped;
}
