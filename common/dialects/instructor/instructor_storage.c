/*
 * Writes storage files of instructor (JsonlStorage of instructor-php 2.7), which instructor_file.h
 * reads:
 *
 *     {"type":"session","version":1,"id":S,"createdAt":T,"leafId":null}
 *     {"type":"message","id":I,"parentId":P,"section":N,"timestamp":T,"data":message}
 *
 * The session is that of the context record, or else of the first message. A message has its own
 * id, unless an earlier line has that id; the parent is the message before. Ids that are missing
 * are hashes of all messages so far. As in instructor, the message says its id, its parent and its
 * time, too. The writer holds hashes of the ids, and one message.
 */

#include <stdlib.h>

#include "base/hash/map.h"
#include "base/mem.h"
#include "dialects/dialect.h"
#include "dialects/instructor/instructor_message.h"
#include "dialects/instructor/instructor_order.h"
#include "dialects/instructor/instructor_store.h"
#include "dialects/session_file/session_stamp.h"
#include "json/write.h"

/* The levels of a line around a message. */
enum { LINE_DEPTH = 1 };

#define NO_TIME "\"1970-01-01T00:00:00+00:00\""

struct writer {
	struct dialect_stage base;
	struct buf header; /* the metadata of the last context record, JSON; or empty */
	struct instructor_order_section state;
	struct session_stamp_digest digest; /* of all messages so far */
	struct map ids;                     /* of all lines so far */
	struct buf id;                      /* of the line, JSON */
	struct buf parent;                  /* the id of the line before, JSON; or empty */
	struct buf created;                 /* the time of the session, JSON */
	struct buf session;                 /* its id, JSON */
	struct buf made;                    /* a message in its spelling */
	struct buf text;
	bool is_begun; /* the first line is written */
};

static struct json_value
header_member(const struct writer *writer, struct str name)
{
	return writer->header.len > 0 ? json_find(json_value_at(writer->header.ptr), name) :
					json_absent;
}

/* Sets json to the string; or else to the digest as a UUID. */
static void
set_id(const struct writer *writer, struct json_value id, struct buf *json)
{
	char uuid[SESSION_UUID];

	if (id.type == JSON_STRING) {
		buf_set(json, json_span(id));
	} else {
		session_stamp_uuid(&writer->digest, uuid);
		buf_reset(json);
		json_write_string(json, str_from(uuid));
	}
	buf_pad(json);
}

/* The time of the message, JSON, or that of the session. */
static struct str
time_of(const struct writer *writer, const struct message *message)
{
	struct json_value time = json_find(message->value, STR("createdAt"));

	if (time.type != JSON_STRING)
		time = message->meta[METADATA_TIMESTAMP];
	if (time.type == JSON_STRING)
		return json_span(time);
	return writer->created.len > 0 ? buf_str(&writer->created) : STR(NO_TIME);
}

/* The id of the session, if it is known before the first line is written. */
static struct json_value
session_of(const struct writer *writer, const struct message *message)
{
	struct json_value id = header_member(writer, STR("session_id"));

	if (writer->is_begun)
		return json_value_at(writer->session.ptr);
	return id.type == JSON_STRING ? id : message->meta[METADATA_SESSION_ID];
}

/* Writes the first line. Members that a storage file had there are in a context record whose
 * x_instructor is empty: that of an AgentContext has the context itself. */
static void
begin(struct writer *writer, const struct line *line, const struct message *message)
{
	struct json_value ours = header_member(writer, STR("x_instructor"));
	bool is_ours = ours.type == JSON_OBJECT && !json_has_elements(ours);
	struct json_value time = header_member(writer, STR("createdAt"));
	struct json_value leaf = json_absent;
	struct json_writer w;

	set_id(writer, session_of(writer, message), &writer->session);
	buf_set(&writer->created,
	    is_ours && time.type == JSON_STRING ? json_span(time) : time_of(writer, message));
	buf_reset(&writer->text);
	json_begin(&w, &writer->text, '{');
	json_member_string(&w, STR("type"), STR("session"));
	json_member_raw(&w, STR("version"), STR("1"));
	json_member_raw(&w, STR("id"), buf_str(&writer->session));
	json_member_raw(&w, STR("createdAt"), buf_str(&writer->created));
	if (is_ours)
		leaf = header_member(writer, STR("leafId"));
	json_member_raw(
	    &w, STR("leafId"), leaf.type != JSON_ABSENT ? json_span(leaf) : STR("null"));
	json_close(&w);
	dialect_emit(&writer->base.stage, line, &writer->text);
	writer->is_begun = true;
}

/* Adds the message that is in made, without the members that its line says, too. */
static void
add_to_digest(struct writer *writer)
{
	struct message made;
	struct str text[3];

	buf_pad(&writer->made);
	message_parse(&made, buf_str(&writer->made));
	text[0] = json_span(made.role_value);
	text[1] = json_span(made.content);
	text[2] = json_span(made.tool_calls);
	session_stamp_add(&writer->digest, text, ARRAY_COUNT(text));
}

/* Adds the members of its line to the message that is in made, unless the message has them. */
static void
add_line_members(struct writer *writer, struct str id, struct str time)
{
	const struct str list[][2] = {
	    {STR("id"), id}, {STR("parentId"), buf_str(&writer->parent)}, {STR("createdAt"), time}};
	struct json_value message = json_value_at(writer->made.ptr);
	struct json_edit edit;
	struct buf whole = BUF_INIT;

	json_edit_init(&edit, buf_str(&writer->made));
	for (size_t i = 0; i < ARRAY_COUNT(list); i++)
		if (list[i][1].len > 0 && !json_has(message, list[i][0]))
			json_edit_add(&edit, message, list[i][0], list[i][1]);
	json_edit_end(&edit, &whole);
	buf_set(&writer->made, buf_str(&whole));
	buf_free(&whole);
}

/* Writes the message that is in made. */
static void
put(struct writer *writer, const struct line *line, const struct message *message)
{
	struct json_value section = instructor_order_section(&writer->state, message);
	struct json_value id = json_find(message->value, STR("id"));
	struct str time = time_of(writer, message);
	struct json_writer w;

	if (id.type != JSON_STRING)
		id = message->meta[METADATA_ID];
	if (id.type == JSON_STRING && map_set(&writer->ids, record_id_hash(id), 1) != MAP_NONE)
		id.type = JSON_ABSENT;
	set_id(writer, id, &writer->id);
	add_line_members(writer, buf_str(&writer->id), time);
	buf_reset(&writer->text);
	json_begin(&w, &writer->text, '{');
	json_member_string(&w, STR("type"), STR("message"));
	json_member_raw(&w, STR("id"), buf_str(&writer->id));
	json_member_raw(
	    &w, STR("parentId"), writer->parent.len > 0 ? buf_str(&writer->parent) : STR("null"));
	json_member_value(&w, STR("section"),
	    section.type == JSON_STRING ? section : instructor_store_messages());
	json_member_raw(&w, STR("timestamp"), time);
	json_member_raw(&w, STR("data"), buf_str(&writer->made));
	json_close(&w);
	buf_set(&writer->parent, buf_str(&writer->id));
	dialect_emit(&writer->base.stage, line, &writer->text);
}

static void
take(struct stage *stage, struct record *record)
{
	struct writer *writer = (struct writer *)stage;
	struct message read;
	const struct message *message;
	struct line line = {.file = record->line.file, .number = record->line.number};

	if (record->kind == RECORD_CONTEXT) {
		message = record_message(record, &read);
		buf_set(&writer->header, json_span(message->metadata));
		buf_pad(&writer->header);
		return;
	}
	message = dialect_message(stage, record, &read);
	if (message == NULL)
		return;
	buf_reset(&writer->made);
	if (instructor_message_is_too_deep(message->value, LINE_DEPTH)) {
		dialect_set_aside(stage, record);
		return;
	}
	if (!instructor_message_write(
		message, session_of(writer, message), &writer->made, writer->base.dropped))
		return;
	add_to_digest(writer);
	if (!writer->is_begun)
		begin(writer, &line, message);
	put(writer, &line, message);
	writer->base.joined++;
}

static void
free_writer(struct dialect_stage *base)
{
	struct writer *writer = (struct writer *)base;

	map_free(&writer->ids);
	buf_free(&writer->header);
	buf_free(&writer->state.of_calls);
	buf_free(&writer->id);
	buf_free(&writer->parent);
	buf_free(&writer->created);
	buf_free(&writer->session);
	buf_free(&writer->made);
	buf_free(&writer->text);
	free(writer);
}

static struct dialect_stage *
open_writer(void)
{
	struct writer *writer = mem_alloc(1, sizeof *writer);

	*writer = (struct writer){
	    .base = {.stage = {.take = take, .end = stage_pass_end}, .free = free_writer}};
	return &writer->base;
}

const struct dialect instructor_storage_dialect = {.name = "instructor-storage",
    .writer = open_writer,
    .joined = "storage file",
    .no_bad_lines = true};
