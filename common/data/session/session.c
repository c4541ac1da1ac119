#include "data/session/session.h"

#include <stdlib.h>

#include "base/list.h"

void
session_init(struct session *t)
{
	*t = (struct session){.answer = NONE, .error = NONE};
	walk_init(&t->walk);
}

void
session_free(struct session *t)
{
	walk_free(&t->walk);
	arena_free(&t->arena);
	buf_free(&t->scratch);
	free(t->list);
	free(t->entry);
	free(t->execution);
	free(t->group);
	free(t->call);
	failures_free(&t->failures);
	map_free(&t->gone.lost_by_number);
	free(t->gone.lost);
	free(t->change);
	free(t->added);
}

struct str
entry_text(const struct entry *entry)
{
	return str_of(entry->raw + entry->before, entry->len - entry->before - entry->after);
}

static void
parse(const struct entry *entry, struct message *message, bool texts_only)
{
	struct message_known known = {.texts_only = texts_only};
	struct str text = entry_text(entry);

	for (size_t i = 0; i < MESSAGE_KNOWN && entry->known_in == entry->raw; i++) {
		const struct entry_span *span = &entry->known[i];
		const char *ptr = text.ptr + span->at;

		if (span->len > 0)
			known.member[known.count++] = (struct json_value){.ptr = ptr,
			    .len = span->len,
			    .type = *ptr == '"' ? JSON_STRING :
				*ptr == '['     ? JSON_ARRAY :
						  JSON_OBJECT,
			    .escaped = *ptr == '"' && entry->is_escaped};
	}
	if (entry->kind == RECORD_BAD || entry->kind == RECORD_BLANK)
		message_parse(message, text);
	else
		message_reread_known(message, text, &known);
}

void
entry_parse(const struct entry *entry, struct message *message)
{
	parse(entry, message, false);
}

void
entry_parse_texts(const struct entry *entry, struct message *message)
{
	parse(entry, message, entry->kind == RECORD_MESSAGE && !entry->has_texts_in_metadata);
}

bool
session_is_current(const struct session *t, const struct entry *entry)
{
	return entry->execution != NONE &&
	    (t->execution[entry->execution].is_current || entry->is_named);
}

bool
session_is_current_trace(const struct session *t, const struct entry *entry)
{
	if (!session_is_current(t, entry) || entry->nested == 0 || entry->is_named)
		return session_is_current(t, entry);
	return t->current != CURRENT_ID && walk_is_nested_current(&t->walk, entry->nested);
}

void
session_set_current(struct session *t, enum current current, struct str id)
{
	t->current = current;
	t->current_id = id;
}

uint32_t
session_head_index(const struct session *t, uint32_t index)
{
	uint32_t group = t->entry[index].group;

	return group != NONE ? t->group[group].entry : index;
}

bool
session_is_head(const struct session *t, uint32_t index)
{
	return session_head_index(t, index) == index;
}

const struct entry *
session_head(const struct session *t, const struct entry *entry)
{
	return entry->group != NONE ? &t->entry[t->group[entry->group].entry] : entry;
}

uint32_t
session_member(const struct session *t, const struct group *group, uint32_t *at)
{
	if ((*at)++ == 0)
		return group->entry;
	for (; *at - 2 < group->calls; (*at)++) {
		uint32_t result = t->call[group->first_call + *at - 2].result;

		if (result != NONE)
			return result;
	}
	return NONE;
}

uint32_t
session_unit_member(const struct session *t, uint32_t index, uint32_t *at)
{
	uint32_t group = t->entry[index].group;

	if (group != NONE)
		return session_member(t, &t->group[group], at);
	return (*at)++ == 0 ? index : NONE;
}

static struct hash
lost_key(uint32_t number)
{
	return hash_number(number, hash_seed(HASH_CALL));
}

void
session_add_lost(struct session *t, uint32_t number, const struct lost_call *lost)
{
	struct session_gone *gone = &t->gone;

	map_set(&gone->lost_by_number, lost_key(number), gone->lost_count);
	LIST_ADD(gone->lost, gone->lost_count, gone->lost_cap, *lost);
}

uint32_t
session_find_lost(const struct session *t, uint32_t number)
{
	return (uint32_t)map_get(&t->gone.lost_by_number, lost_key(number));
}

bool
session_is_lost_head_dropped(const struct session *t, const struct entry *entry)
{
	const struct lost_call *lost = &t->gone.lost[entry->lost];

	if (lost->group < t->gone.groups)
		return lost->is_head_dropped;
	return t->entry[t->group[lost->group - t->gone.groups].entry].is_dropped;
}

uint32_t
session_call_of(const struct session *t, const struct entry *entry)
{
	if (entry->call != NONE || entry->group == NONE || t->group[entry->group].calls == 0)
		return entry->call;
	return t->group[entry->group].first_call;
}

int
entry_said_resolved(const struct entry *entry)
{
	struct message message;

	if (!entry->says_resolved)
		return -1;
	entry_parse(entry, &message);
	return message_flag(&message, METADATA_RESOLVED);
}

static struct str
read_section(struct session *t, const struct entry *entry)
{
	struct message message;

	if (!entry->says_section)
		return STR("messages");
	entry_parse(entry, &message);
	return message_section(&message, &t->scratch);
}

struct str
session_section(struct session *t, const struct entry *entry)
{
	struct group *group;

	if (entry->group == NONE)
		return read_section(t, entry);
	group = &t->group[entry->group];
	/* Kept, since a message may have many calls, and each result needs the section. */
	if (group->section.ptr == NULL)
		group->section = arena_copy(&t->arena, read_section(t, &t->entry[group->entry]));
	return group->section;
}

bool
session_is_in_section(struct session *t, const struct entry *entry, struct str name)
{
	return entry_is_in_thread(entry) && str_eq(session_section(t, entry), name);
}
