/*
 * Stores of instructor, a library for PHP, in both forms that it writes: an AgentContext and a
 * storage file. This file reads both, and writes the first.
 */

#include <stdlib.h>

#include "base/list.h"
#include "base/mem.h"
#include "dialects/instructor/instructor_context.h"
#include "dialects/instructor/instructor_file.h"
#include "dialects/instructor/instructor_order.h"
#include "dialects/instructor/instructor_trace.h"

/*
 * The reader: an AgentContext becomes a context record and its messages, section by section, in the
 * order in which instructor shows sections to a model, which is the order of time.
 */

/* Whether the messages of the section can be read. Reports why not. */
static bool
check_section(struct instructor_output *output, const struct line *line,
    const struct instructor_context_sections *section)
{
	if (!section->is_sound) {
		if (section->name.type == JSON_STRING)
			dialect_note_flaw(output->reading, line, "section '%.*s' is no list",
			    (int)section->name.len - 2, section->name.ptr + 1);
		else
			dialect_note_flaw(output->reading, line, "a section without a name");
		return false;
	}
	if (section->is_repeated) {
		dialect_note_flaw(output->reading, line, "a second section '%.*s'",
		    (int)section->name.len - 2, section->name.ptr + 1);
		return false;
	}
	return true;
}

/* The trace among the messages of the conversation. */
struct told {
	struct instructor_trace places;
	struct json_walk walk; /* over the trace, of which the messages before it were put */
	struct instructor_message_place place;
};

/* Puts the messages of the trace before the conversation's message with that index. */
static void
put_trace(
    struct instructor_output *output, const struct line *line, struct told *told, uint32_t index)
{
	while (instructor_trace_next(&told->places, index) && json_walk_next(&told->walk))
		instructor_output_put_message(output, line, told->walk.value, &told->place);
}

/* Reads the section; if it is the conversation, told has the trace that belongs between its
 * messages. */
static void
read_section(struct instructor_output *output, const struct line *line,
    const struct instructor_context_sections *section, struct told *told)
{
	struct instructor_message_place place = {.section = section->name, .many = section->many};
	uint32_t index = 0;

	for (struct json_walk walk = json_walk_of(section->messages); json_walk_next(&walk);
	     index++) {
		if (told != NULL)
			put_trace(output, line, told, index);
		instructor_output_put_message(output, line, walk.value, &place);
	}
}

static void
open_told(struct told *told, const struct instructor_context_sections *talk,
    const struct instructor_context_sections *buffer)
{
	struct message message;

	for (struct json_walk walk = json_walk_of(talk->messages); json_walk_next(&walk);) {
		message_parse(&message, json_span(walk.value));
		instructor_trace_add_said(&told->places, &message);
	}
	for (struct json_walk walk = json_walk_of(buffer->messages); json_walk_next(&walk);) {
		message_parse(&message, json_span(walk.value));
		instructor_trace_add(&told->places, &message);
	}
	instructor_trace_settle(&told->places);
	told->walk = json_walk_of(buffer->messages);
	told->place.section = buffer->name;
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
read_sections(struct instructor_output *output, const struct line *line,
    const struct instructor_context_sections *list, uint32_t count)
{
	const struct instructor_context_sections *talk, *buffer;
	struct told told = {.places = INSTRUCTOR_TRACE_INIT, .place = {.many = true}};

	talk = find_section(list, count, INSTRUCTOR_RANK_MESSAGES);
	buffer = find_section(list, count, INSTRUCTOR_RANK_TRACE);
	if (talk != NULL && buffer != NULL)
		open_told(&told, talk, buffer);
	for (unsigned rank = 0; rank < INSTRUCTOR_RANKS; rank++)
		for (uint32_t i = 0; i < count; i++) {
			if (instructor_order_rank(list[i].name) != rank ||
			    !check_section(output, line, &list[i]))
				continue;
			if (talk != NULL && &list[i] == buffer)
				put_trace(output, line, &told, UINT32_MAX);
			else
				read_section(
				    output, line, &list[i], &list[i] == talk ? &told : NULL);
		}
	instructor_trace_free(&told.places);
}

static void
instructor_agent_read(struct instructor_output *output, const struct record *record)
{
	struct instructor_context_sections sections, *list = NULL;
	uint32_t count = 0, cap = 0;

	buf_reset(&output->text);
	instructor_context_read(record->message->value, &output->text);
	dialect_emit(output->stage, &record->line, &output->text);
	instructor_context_open(&sections, record->message->value);
	while (instructor_context_next(&sections)) {
		LIST_ADD(list, count, cap, sections);
	}
	read_sections(output, &record->line, list, count);
	instructor_context_close(&sections);
	free(list);
}

struct reader {
	struct dialect_stage base;
	struct instructor_output output;
	struct instructor_file file;
};

static void
take(struct stage *stage, struct record *record)
{
	struct reader *reader = (struct reader *)stage;

	if (record->line.file != reader->file.file && reader->file.file != NULL)
		instructor_file_flush(&reader->file);
	if (record->kind != RECORD_FOREIGN || !instructor_context_is(record->message->value)) {
		instructor_file_take(&reader->file, record);
		return;
	}
	instructor_file_flush(&reader->file);
	instructor_agent_read(&reader->output, record);
	dialect_note_other(reader->output.reading, &instructor_dialect, &record->line);
}

static void
end(struct stage *stage)
{
	instructor_file_flush(&((struct reader *)stage)->file);
}

static void
free_reader(struct dialect_stage *base)
{
	struct reader *reader = (struct reader *)base;

	instructor_file_free(&reader->file);
	buf_free(&reader->output.text);
	free(reader);
}

static struct dialect_stage *
reader(struct dialect_reading *reading)
{
	struct reader *reader = mem_alloc(1, sizeof *reader);

	*reader =
	    (struct reader){.base = {.stage = {.take = take, .end = end}, .free = free_reader},
		.output = {.stage = &reader->base.stage, .reading = reading}};
	instructor_file_init(&reader->file, &reader->output);
	return &reader->base;
}

/* The levels of an AgentContext around a message. */
enum { STORE_DEPTH = 5 };

/* Each session becomes one AgentContext. The writer holds one session, and relies on the order that
 * instructor_order makes before it. */
struct writer {
	struct dialect_stage base;
	struct instructor_context context;
	struct buf text;
	struct instructor_order_section state;
	struct line line; /* the last line of the context */
	bool is_begun;    /* a record is in context */
};

static void
write_record(struct stage *stage, struct record *record)
{
	struct writer *writer = (struct writer *)stage;
	struct message read;
	const struct message *message;

	if (record->kind == RECORD_CONTEXT) {
		message = record_message(record, &read);
		instructor_context_set(&writer->context, message->value);
	} else if ((message = dialect_message(stage, record, &read)) == NULL) {
		return;
	} else if (instructor_message_is_too_deep(message->value, STORE_DEPTH)) {
		dialect_set_aside(stage, record);
		return;
	} else {
		struct buf *list = instructor_store_section(
		    &writer->context.store, instructor_order_section(&writer->state, message));
		bool has_comma = list->ptr[list->len - 1] == ',';

		if (instructor_message_write(message, json_absent, list, writer->base.dropped))
			writer->base.joined++;
		else
			list->len -= has_comma;
	}
	writer->line = (struct line){.file = record->line.file, .number = record->line.number};
	writer->is_begun = true;
}

static void
write_context(struct stage *stage)
{
	struct writer *writer = (struct writer *)stage;

	if (!writer->is_begun)
		return;
	instructor_context_write(&writer->context, &writer->text);
	dialect_emit(&writer->base.stage, &writer->line, &writer->text);
}

static void
free_writer(struct dialect_stage *base)
{
	struct writer *writer = (struct writer *)base;

	instructor_context_free(&writer->context);
	buf_free(&writer->text);
	buf_free(&writer->state.of_calls);
	free(writer);
}

static struct dialect_stage *
writer(void)
{
	struct writer *writer = mem_alloc(1, sizeof *writer);

	*writer = (struct writer){
	    .base = {.stage = {.take = write_record, .end = write_context}, .free = free_writer}};
	return &writer->base;
}

const struct dialect instructor_dialect = {.name = "instructor",
    .reader = reader,
    .writer = writer,
    .order = instructor_order,
    .joined = "AgentContext",
    .no_bad_lines = true};
