/*
 * Stores of instructor, a library for PHP, in both forms that it writes; this file reads them.
 *
 * An AgentContext becomes a context record and its messages, section by section, in the
 * order in which instructor shows sections to a model, which is the order of time. The lines
 * of a storage file (JsonlStorage) are held up to the end of its session, because labels come
 * behind their messages, and a line takes the place of an earlier line with its id.
 *
 *     {"type":"session","id":...}                         the header: a context record
 *     {"type":"message","id":...,"section":...,"data":M}
 *     {"type":"label","targetId":...,"label":...}
 */

#include <stdlib.h>

#include "base/list.h"
#include "dialects/dialect.h"
#include "dialects/instructor/instructor_context.h"
#include "dialects/instructor/instructor_message.h"
#include "dialects/instructor/instructor_order.h"
#include "dialects/instructor/instructor_trace.h"
#include "dialects/instructor/instructor_writer.h"
#include "dialects/untrusted.h"
#include "json/scan.h"
#include "json/string.h"

enum line_name {
	LINE_TYPE,
	LINE_ID,
	LINE_PARENT,
	LINE_SECTION,
	LINE_TIMESTAMP,
	LINE_DATA,
	LINE_TARGET,
	LINE_LABEL,
	LINE_COUNT
};

static const struct str line_list[LINE_COUNT] = {
    [LINE_TYPE] = STR_INIT("type"),
    [LINE_ID] = STR_INIT("id"),
    [LINE_PARENT] = STR_INIT("parentId"),
    [LINE_SECTION] = STR_INIT("section"),
    [LINE_TIMESTAMP] = STR_INIT("timestamp"),
    [LINE_DATA] = STR_INIT("data"),
    [LINE_TARGET] = STR_INIT("targetId"),
    [LINE_LABEL] = STR_INIT("label"),
};

static struct json_names line_names; /* filled by reader */

enum line_kind {
	KIND_OTHER,
	KIND_HEADER,
	KIND_MESSAGE,
	KIND_LABEL,
};

static enum line_kind
kind_of(const struct json_value *member)
{
	bool has_id = member[LINE_ID].type == JSON_STRING;

	if (json_is(member[LINE_TYPE], STR("session")) && has_id)
		return KIND_HEADER;
	if (json_is(member[LINE_TYPE], STR("message")) && has_id &&
	    json_find(member[LINE_DATA], STR("role")).type == JSON_STRING)
		return KIND_MESSAGE;
	if (json_is(member[LINE_TYPE], STR("label")) && member[LINE_TARGET].type == JSON_STRING)
		return KIND_LABEL;
	return KIND_OTHER;
}

static enum dialect_sign
sign(struct json_value record)
{
	struct json_value member[LINE_COUNT];

	if (instructor_context_is(record))
		return DIALECT_SIGN_CERTAIN;
	JSON_NAMES_INIT(&line_names, line_list, LINE_COUNT);
	json_pick(record, &line_names, member);
	switch (kind_of(member)) {
	case KIND_MESSAGE:
		return DIALECT_SIGN_CERTAIN;
	case KIND_HEADER:
		return json_find(record, STR("createdAt")).type == JSON_STRING ?
		    DIALECT_SIGN_CLEAR :
		    DIALECT_SIGN_NONE;
	default:
		return DIALECT_SIGN_NONE;
	}
}

/* A record of a storage file that is held. */
struct held {
	struct record record;
	enum line_kind kind;
	uint32_t newest;  /* the line that takes the place of this one, or this one */
	bool is_replaced; /* this line takes the place of an earlier one */
};

struct label {
	struct buf json;
	bool is_used;
};

struct reader {
	struct dialect_stage base;
	struct dialect_reading *reading;
	struct buf text;
	struct buf stripped;
	struct buf scratch;
	/* The session of a storage file that is held: */
	const char *file; /* NULL: there is none */
	bool many;        /* it has other sections than messages */
	struct held *held;
	uint32_t held_count;
	uint32_t held_cap;
	struct label *label;
	uint32_t label_count;
	uint32_t label_cap;
	struct map line_by_id;
	struct map label_by_id;
};

/* Emits the record in reader->text, which was made of that line. */
static void
put(struct reader *reader, const struct line *line)
{
	struct record record;
	struct message message, stripped;

	if (!reader->reading->untrusted) {
		dialect_emit(&reader->base.stage, line, &reader->text);
		return;
	}
	buf_add_char(&reader->text, '\n');
	buf_pad(&reader->text);
	record_respell(&record, line, buf_str(&reader->text), &message);
	if (untrusted_strip(reader->reading, &record, &stripped, &reader->stripped))
		stage_emit(&reader->base.stage, &record);
}

static void
put_message(struct reader *reader, const struct line *line, struct json_value value,
    const struct instructor_message_place *place)
{
	struct message message;
	struct json_edit edit;

	message_parse(&message, json_span(value));
	json_edit_init(&edit, json_span(value));
	if (message.kind == RECORD_MESSAGE && !reader->reading->untrusted &&
	    !instructor_message_read(&edit, &message, place))
		tally_add(reader->reading->skipped, STR("label"));
	buf_reset(&reader->text);
	json_edit_write(&edit, &reader->text);
	json_edit_free(&edit);
	put(reader, line);
}

/* Whether the messages of the section can be read; what cannot is named. */
static bool
check_section(struct reader *reader, const struct line *line,
    const struct instructor_context_sections *section)
{
	if (!section->is_sound) {
		if (section->name.type == JSON_STRING)
			dialect_note_flaw(reader->reading, line, "section '%.*s' is no list",
			    (int)section->name.len - 2, section->name.ptr + 1);
		else
			dialect_note_flaw(reader->reading, line, "a section without a name");
		return false;
	}
	if (section->is_repeated) {
		dialect_note_flaw(reader->reading, line, "a second section '%.*s'",
		    (int)section->name.len - 2, section->name.ptr + 1);
		return false;
	}
	return true;
}

/* Puts the messages of the trace that stand before the conversation's message with that index. */
static void
put_trace(struct reader *reader, const struct line *line, struct instructor_trace *trace,
    const struct instructor_message_place *place, uint32_t index)
{
	struct json_value message;

	while (instructor_trace_next(trace, index, &message))
		put_message(reader, line, message, place);
}

/* With trace, the section is the conversation, and the trace stands among its messages. */
static void
read_section(struct reader *reader, const struct line *line,
    const struct instructor_context_sections *section, struct instructor_trace *trace,
    const struct instructor_message_place *of_trace)
{
	struct instructor_message_place place = {.section = section->name, .many = section->many};
	struct json_walk walk;
	uint32_t index = 0;

	json_walk_open(&walk, section->messages);
	for (; json_walk_next(&walk); index++) {
		if (trace != NULL)
			put_trace(reader, line, trace, of_trace, index);
		put_message(reader, line, walk.value, &place);
	}
}

/* The first section of that rank that can be read, or NULL. */
static const struct instructor_context_sections *
find_section(const struct instructor_context_sections *list, uint32_t count, unsigned rank)
{
	for (uint32_t i = 0; i < count; i++)
		if (instructor_order_rank(list[i].name) == rank && list[i].is_sound &&
		    !list[i].is_repeated)
			return &list[i];
	return NULL;
}

/* Reads the sections in the order in which they are shown. */
static void
read_sections(struct reader *reader, const struct line *line,
    const struct instructor_context_sections *list, uint32_t count)
{
	const struct instructor_context_sections *talk, *buffer;
	struct instructor_trace trace = INSTRUCTOR_TRACE_INIT;
	struct instructor_message_place place = {.many = true};

	talk = find_section(list, count, INSTRUCTOR_RANK_MESSAGES);
	buffer = find_section(list, count, INSTRUCTOR_RANK_TRACE);
	if (talk != NULL && buffer != NULL) {
		instructor_trace_open(&trace, talk->messages, buffer->messages);
		place.section = buffer->name;
	}
	for (unsigned rank = 0; rank < INSTRUCTOR_RANKS; rank++)
		for (uint32_t i = 0; i < count; i++) {
			if (instructor_order_rank(list[i].name) != rank ||
			    !check_section(reader, line, &list[i]))
				continue;
			if (talk != NULL && &list[i] == buffer)
				put_trace(reader, line, &trace, &place, UINT32_MAX);
			else
				read_section(reader, line, &list[i],
				    &list[i] == talk ? &trace : NULL, &place);
		}
	instructor_trace_free(&trace);
}

static void
read_context(struct reader *reader, const struct record *record)
{
	struct instructor_context_sections sections, *list = NULL;
	uint32_t count = 0, cap = 0;

	buf_reset(&reader->text);
	instructor_context_read(record->message->value, &reader->text);
	put(reader, &record->line);
	instructor_context_open(&sections, record->message->value);
	while (instructor_context_next(&sections)) {
		LIST_ROOM(list, count, cap);
		list[count++] = sections;
	}
	read_sections(reader, &record->line, list, count);
	instructor_context_close(&sections);
	free(list);
}

static struct hash
id_key(struct reader *reader, struct json_value id)
{
	return hash_bytes(json_text(id, &reader->scratch), hash_seed(HASH_MESSAGE_ID));
}

static void
release_line(struct reader *reader, struct record *record, const struct json_value *member)
{
	struct instructor_message_place place = {.section = member[LINE_SECTION],
	    .id = member[LINE_ID],
	    .parent_id = member[LINE_PARENT],
	    .timestamp = member[LINE_TIMESTAMP],
	    .many = reader->many};
	uint64_t index = map_get(&reader->label_by_id, id_key(reader, member[LINE_ID]));

	if (index != MAP_NONE) {
		reader->label[index].is_used = true;
		place.label = json_value_at(reader->label[index].json.ptr);
	}
	put_message(reader, &record->line, member[LINE_DATA], &place);
}

static void
release(struct reader *reader, struct held *held)
{
	struct json_value member[LINE_COUNT];
	struct message message;
	struct record record = held->record;

	if (held->kind != KIND_MESSAGE) {
		stage_emit(&reader->base.stage, &record);
		return;
	}
	json_pick(record_message(&record, &message)->value, &line_names, member);
	release_line(reader, &record, member);
}

/* Forgets the session that was held. */
static void
clear(struct reader *reader)
{
	for (uint32_t i = 0; i < reader->held_count; i++)
		record_release(&reader->held[i].record);
	for (uint32_t i = 0; i < reader->label_count; i++)
		buf_free(&reader->label[i].json);
	map_free(&reader->line_by_id);
	map_free(&reader->label_by_id);
	reader->line_by_id = reader->label_by_id = (struct map)MAP_INIT;
	reader->held_count = reader->label_count = 0;
	reader->file = NULL;
	reader->many = false;
}

/* Emits the session that is held. */
static void
flush(struct reader *reader)
{
	for (uint32_t i = 0; i < reader->held_count; i++) {
		if (reader->held[i].is_replaced)
			tally_add(reader->reading->skipped, STR("replaced line"));
		else
			release(reader, &reader->held[reader->held[i].newest]);
	}
	for (uint32_t i = 0; i < reader->label_count; i++)
		if (!reader->label[i].is_used)
			tally_add(reader->reading->skipped, STR("label"));
	clear(reader);
}

static void
hold(struct reader *reader, struct record *record, enum line_kind kind,
    const struct json_value *member)
{
	uint32_t index = reader->held_count;
	struct hash key;
	uint64_t first;

	LIST_ROOM(reader->held, reader->held_count, reader->held_cap);
	reader->held[index] = (struct held){.kind = kind, .newest = index};
	if (kind == KIND_MESSAGE) {
		key = id_key(reader, member[LINE_ID]);
		first = map_get(&reader->line_by_id, key);
		if (first == MAP_NONE) {
			map_set(&reader->line_by_id, key, index);
		} else {
			reader->held[first].newest = index;
			reader->held[index].is_replaced = true;
		}
		reader->many |= member[LINE_SECTION].type == JSON_STRING &&
		    !json_is(member[LINE_SECTION], STR("messages"));
	}
	record_hold(&reader->held[index].record, record);
	reader->held_count++;
}

/* The last label of a message counts; null takes it back. */
static void
note_label(struct reader *reader, const struct json_value *member)
{
	struct hash key = id_key(reader, member[LINE_TARGET]);
	uint64_t index = map_get(&reader->label_by_id, key);
	struct json_value label = member[LINE_LABEL];

	if (index == MAP_NONE) {
		LIST_ROOM(reader->label, reader->label_count, reader->label_cap);
		index = reader->label_count++;
		reader->label[index] = (struct label){.json = BUF_INIT};
		map_set(&reader->label_by_id, key, index);
	}
	buf_reset(&reader->label[index].json);
	buf_add_str(
	    &reader->label[index].json, label.type == JSON_ABSENT ? STR("null") : json_span(label));
	buf_pad(&reader->label[index].json);
}

static void
read_header(struct reader *reader, const struct record *record)
{
	buf_reset(&reader->text);
	instructor_context_read_header(record->message->value, &reader->text);
	put(reader, &record->line);
}

/* Reads an object. Returns the kind of line that it is. */
static enum line_kind
read_object(struct reader *reader, const struct record *record, struct json_value *member)
{
	enum line_kind kind;

	json_pick(record->message->value, &line_names, member);
	kind = kind_of(member);
	if (kind == KIND_HEADER) {
		flush(reader);
		read_header(reader, record);
	}
	if (kind == KIND_HEADER || kind == KIND_MESSAGE)
		reader->file = record->line.file;
	if (kind == KIND_LABEL && reader->file != NULL)
		note_label(reader, member);
	if (kind == KIND_HEADER || kind == KIND_MESSAGE)
		dialect_note_other(reader->reading, &instructor_dialect, &record->line);
	return kind;
}

static void
take(struct stage *stage, struct record *record)
{
	struct reader *reader = (struct reader *)stage;
	struct json_value member[LINE_COUNT];
	enum line_kind kind = KIND_OTHER;

	if (record->line.file != reader->file && reader->file != NULL)
		flush(reader);
	if (record->kind == RECORD_FOREIGN && instructor_context_is(record->message->value)) {
		flush(reader);
		read_context(reader, record);
		dialect_note_other(reader->reading, &instructor_dialect, &record->line);
		return;
	}
	if (record->kind == RECORD_FOREIGN && record->message->value.type == JSON_OBJECT)
		kind = read_object(reader, record, member);
	if (kind == KIND_HEADER || (kind == KIND_LABEL && reader->file != NULL))
		return;
	if (reader->file != NULL)
		hold(reader, record, kind, member);
	else
		stage_emit(stage, record);
}

static void
end(struct stage *stage)
{
	flush((struct reader *)stage);
}

static void
free_reader(struct dialect_stage *base)
{
	struct reader *reader = (struct reader *)base;

	clear(reader);
	free(reader->held);
	free(reader->label);
	buf_free(&reader->text);
	buf_free(&reader->stripped);
	buf_free(&reader->scratch);
	free(reader);
}

static struct dialect_stage *
reader(struct dialect_reading *reading)
{
	struct reader *reader = mem_alloc(1, sizeof *reader);

	*reader = (struct reader){
	    .base = {.stage = {.take = take, .end = end}, .free = free_reader}, .reading = reading};
	JSON_NAMES_INIT(&line_names, line_list, LINE_COUNT);
	return &reader->base;
}

const struct dialect instructor_dialect = {.name = "instructor",
    .sign = sign,
    .reader = reader,
    .writer = instructor_writer,
    .order = instructor_order,
    .no_bad_lines = true};
