#include "dialects/opencode/opencode_events.h"

#include "base/arena.h"
#include "base/hash/map.h"
#include "base/list.h"
#include "base/mem.h"
#include "data/record.h"
#include "json/string.h"
#include "json/write.h"

#include <stdlib.h>

struct part {
	struct part *next;
	struct json_value id, message, value; /* value is absent when only deltas came */
	struct buf delta;                     /* inside of a JSON string */
	bool is_gone;
};

struct told {
	struct json_value info; /* absent when only parts came */
	struct part *first, **end;
	struct told *next; /* of its session */
	bool is_gone;
};

/* A session, and its messages. */
struct thread {
	struct json_value id; /* absent: no message says it */
	struct told *first, **end;
	struct thread *next;
};

struct opencode_events {
	struct arena arena;
	struct told **list;
	uint32_t count, cap;
	struct json_value first;    /* the id of the first session */
	struct thread *next;        /* that is written next */
	struct map messages, parts; /* ids -> index in list; -> address */
	struct json_value info;     /* the newest of the first session */
};

/* The message with that id, which is added when it is new. */
static struct told *
find_message(struct opencode_events *session, struct json_value id)
{
	struct hash key = record_id_hash(id);
	uint64_t at = map_get(&session->messages, key);
	struct told *told;

	if (at != MAP_NONE)
		return session->list[at];
	told = arena_zalloc(&session->arena, 1, sizeof *told);
	told->end = &told->first;
	map_set(&session->messages, key, session->count);
	LIST_ADD(session->list, session->count, session->cap, told);
	return told;
}

static struct part *
find_part(struct opencode_events *session, struct json_value message, struct json_value id)
{
	struct hash key = hash_number('p', record_id_hash(id));
	uint64_t at = map_get(&session->parts, key);
	struct told *told;
	struct part *part;

	if (at != MAP_NONE)
		return (struct part *)(uintptr_t)at;
	told = find_message(session, message);
	part = arena_zalloc(&session->arena, 1, sizeof *part);
	part->id = id;
	part->message = message;
	*told->end = part;
	told->end = &part->next;
	map_set(&session->parts, key, (uintptr_t)part);
	return part;
}

static bool
is_id(struct json_value id)
{
	return id.type == JSON_STRING && id.len > 2;
}

/* Of several sessions the first one is the main agent's. */
static void
note_session(struct opencode_events *session, struct json_value info)
{
	struct json_value id = json_find(info, STR("id"));
	struct json_value known = json_find(session->info, STR("id"));

	if (known.type == JSON_ABSENT || str_eq(json_span(known), json_span(id)))
		session->info = info;
}

/* Returns whether the event says something of a session. */
static bool
read_event(struct opencode_events *session, struct json_value type, struct json_value said)
{
	struct json_value info = json_find(said, STR("info")), part = json_find(said, STR("part"));
	struct json_value message = json_find(said, STR("messageID"));
	struct json_value id = json_find(said, STR("partID"));
	struct json_value delta = json_find(said, STR("delta"));

	if (json_is(type, STR("session.updated")) && info.type == JSON_OBJECT) {
		note_session(session, info);
	} else if (json_is(type, STR("message.updated")) && is_id(json_find(info, STR("id")))) {
		find_message(session, json_find(info, STR("id")))->info = info;
	} else if (json_is(type, STR("message.part.updated")) &&
	    is_id(json_find(part, STR("id"))) && is_id(json_find(part, STR("messageID")))) {
		struct part *found = find_part(
		    session, json_find(part, STR("messageID")), json_find(part, STR("id")));

		found->value = part;
		buf_reset(&found->delta);
	} else if (json_is(type, STR("message.part.delta")) && is_id(message) && is_id(id) &&
	    delta.type == JSON_STRING && json_is(json_find(said, STR("field")), STR("text"))) {
		buf_add_str(&find_part(session, message, id)->delta, json_inner(delta));
	} else if (json_is(type, STR("message.removed")) && is_id(message)) {
		find_message(session, message)->is_gone = true;
	} else if (json_is(type, STR("message.part.removed")) && is_id(message) && is_id(id)) {
		find_part(session, message, id)->is_gone = true;
	} else {
		return false;
	}
	return true;
}

/* Writes a part with the deltas added to its text. */
static void
put_grown(const struct part *part, struct json_writer *w)
{
	struct json_value type = json_find(part->value, STR("type"));
	struct json_value text = json_find(part->value, STR("text"));

	json_open(w, '{');
	json_member_value(w, STR("id"), part->id);
	json_member_value(w, STR("messageID"), part->message);
	json_member_raw(
	    w, STR("type"), type.type == JSON_STRING ? json_span(type) : STR("\"text\""));
	json_member_raw(w, STR("text"), STR("\""));
	if (text.type == JSON_STRING)
		buf_add_str(w->buf, json_inner(text));
	buf_add_str(w->buf, buf_str(&part->delta));
	buf_add_char(w->buf, '"');
	json_close(w);
}

static void
put_message(const struct told *told, struct json_writer *w)
{
	json_open(w, '{');
	json_name(w, STR("info"));
	if (told->info.type == JSON_OBJECT)
		json_put_value(w, told->info);
	else
		json_put_raw(w, STR("{\"role\":\"assistant\"}"));
	json_member_open(w, STR("parts"), '[');
	for (const struct part *part = told->first; part != NULL; part = part->next) {
		bool is_told = part->value.type == JSON_OBJECT || part->delta.len > 0;

		if (part->is_gone || !is_told)
			continue;
		if (part->delta.len > 0)
			put_grown(part, w);
		else
			json_put_value(w, part->value);
	}
	json_close(w);
	json_close(w);
}

/* Parts the messages by their sessions, in the order in which these came. A message without one is
 * of the first. */
static void
part_sessions(struct opencode_events *session)
{
	struct thread *thread, **end = &session->next;
	struct map threads = MAP_INIT;

	for (uint32_t i = 0; i < session->count; i++) {
		struct told *told = session->list[i];
		struct json_value id = json_find(
		    told->info.type == JSON_OBJECT || told->first == NULL ? told->info :
									    told->first->value,
		    STR("sessionID"));
		struct hash key = record_id_hash(id);
		uint64_t at = map_get(&threads, key);

		if (told->is_gone)
			continue;
		thread = at != MAP_NONE ? (struct thread *)(uintptr_t)at : NULL;
		if (thread == NULL && id.type != JSON_STRING)
			thread = session->next;
		if (thread == NULL) {
			thread = arena_zalloc(&session->arena, 1, sizeof *thread);
			thread->id = id;
			thread->end = &thread->first;
			*end = thread;
			end = &thread->next;
			map_set(&threads, key, (uintptr_t)thread);
		}
		*thread->end = told;
		thread->end = &told->next;
	}
	map_free(&threads);
}

bool
opencode_events_next(struct opencode_events *session, struct buf *text)
{
	struct thread *thread = session->next;
	struct json_writer w;

	if (thread == NULL)
		return false;
	buf_reset(text);
	json_begin(&w, text, '{');
	json_member_open(&w, STR("info"), '{');
	json_member_value(&w, STR("id"), thread->id);
	if (session->first.type == JSON_ABSENT)
		json_member_value(&w, STR("revert"), json_find(session->info, STR("revert")));
	json_close(&w);
	json_member_value(&w, STR("caller"), session->first);
	json_member_open(&w, STR("messages"), '[');
	for (const struct told *told = thread->first; told != NULL; told = told->next)
		put_message(told, &w);
	json_close(&w);
	json_close(&w);
	buf_pad(text);
	if (session->first.type == JSON_ABSENT)
		session->first = thread->id;
	session->next = thread->next;
	return true;
}

void
opencode_events_free(struct opencode_events *session)
{
	for (uint32_t i = 0; i < session->count; i++)
		for (struct part *part = session->list[i]->first; part != NULL; part = part->next)
			buf_free(&part->delta);
	free(session->list);
	map_free(&session->messages);
	map_free(&session->parts);
	arena_free(&session->arena);
	free(session);
}

struct opencode_events *
opencode_events_read(struct json_value events, struct tally *skipped)
{
	struct opencode_events *session = mem_alloc(1, sizeof *session);

	*session =
	    (struct opencode_events){.messages = MAP_INIT, .parts = MAP_INIT, .arena = ARENA_INIT};
	for (struct json_walk walk = json_walk_of(events); json_walk_next(&walk);) {
		struct json_value type = json_find(walk.value, STR("type"));

		if (!read_event(session, type, json_find(walk.value, STR("properties"))))
			tally_add_record(skipped, walk.value);
	}
	part_sessions(session);
	return session;
}
