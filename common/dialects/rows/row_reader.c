#include "dialects/rows/row_reader.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/message/message.h"
#include "dialects/census/row_census.h"
#include "dialects/rows/row_growth.h"
#include "dialects/rows/row_message.h"
#include "dialects/rows/row_session.h"
#include "json/json_hold.h"
#include "stream/file/file_look.h"

static bool read_value(struct row_reader *reader, const struct line *line, struct json_value record,
    const struct row_table *table, struct json_value value);

void
row_reader_set(struct row_reader *reader, unsigned variable, struct json_value value)
{
	struct buf *buf = &reader->variable[variable];

	buf_reset(buf);
	if (value.type <= JSON_NULL)
		return;
	buf_add_str(buf, json_span(value));
	buf_pad(buf);
}

void
row_reader_extend(struct row_reader *reader, unsigned variable, struct json_value string)
{
	struct buf *buf = &reader->variable[variable];

	if (string.type != JSON_STRING)
		return;
	if (buf->len == 0)
		buf_add_char(buf, '"');
	else
		buf->len--;
	buf_add_str(buf, json_inner(string));
	buf_add_char(buf, '"');
	buf_pad(buf);
}

/* Ends the session, and the file. */
static void
end_file(struct row_reader *reader)
{
	row_session_end(reader);
	if (reader->is_own && reader->joiner.names_lines)
		joiner_end_file(&reader->joiner, reader->reading, reader->dialect->dialect->name,
		    &reader->newest);
	reader->is_own = false;
}

static bool
read_inside(struct row_reader *reader, const struct row_place *place,
    const struct row_table *inside, struct json_value value)
{
	return read_value(reader, place->line, place->record, inside, value);
}

static void
skip(struct row_reader *reader, struct row_place *place)
{
	struct json_value name = row_place_find(place, &place->plan->name);

	if (name.type == JSON_STRING && !name.escaped)
		tally_add(reader->reading->skipped, json_inner(name));
	else
		tally_add_record(reader->reading->skipped, place->value);
}

/* Reads each element of a list as a record of its own. */
static void
read_elements(struct row_reader *reader, struct row_place *place, const struct row_table *inside,
    struct json_value list)
{
	size_t at = 0;

	for (struct json_walk walk = json_walk_of(list); json_walk_next(&walk);) {
		at++;
		if (!read_inside(reader, place, inside, walk.value))
			row_message_pass(reader, place->line, walk.value, at);
	}
}

/* Reads the inner value, or each of its elements, as a record of its own. Without one, the value is
 * skipped. */
static bool
make_inside(struct row_reader *reader, struct row_place *place)
{
	bool is_understood = true, is_there = false;

	for (const struct row_plan_piece *piece = place->plan->pieces; piece->at.choices > 0;
	     piece++) {
		struct json_value value = row_place_find(place, &piece->at);

		is_there |= value.type > JSON_NULL;
		if (value.type == JSON_ARRAY)
			read_elements(reader, place, piece->inside, value);
		else if (value.type > JSON_NULL)
			is_understood &= read_inside(reader, place, piece->inside, value);
	}
	if (!is_there)
		skip(reader, place);
	return is_understood;
}

/* Whether the value is a sealed part, which lossy drops. */
static bool
is_left_out(struct row_reader *reader, struct row_place *place)
{
	struct dialect_reading *reading = reader->reading;

	if (!reading->lossy || place->plan->row->make != ROW_PART ||
	    row_place_find(place, &place->plan->sealed).type <= JSON_NULL)
		return false;
	tally_add_record(reading->skipped, place->value);
	return true;
}

/* Counts the value, if it is sealed and kept, for the open message. */
static void
count_sealed(struct row_reader *reader, struct row_place *place)
{
	if (!reader->reading->lossy && row_place_find(place, &place->plan->sealed).type > JSON_NULL)
		joiner_seal(&reader->joiner, reader->open, tally_name(place->value));
}

/* Whether the agent itself leaves the message out, and all are not asked for. Its record stays:
 * others may follow it. */
static bool
is_left(struct row_reader *reader, struct row_place *place)
{
	if (place->plan->row->left == NULL || reader->reading->all ||
	    !conditions_hold(&place->plan->left, &place->view))
		return false;
	row_message_record(reader, place);
	return true;
}

static bool
make(struct row_reader *reader, struct row_place *place)
{
	if (is_left_out(reader, place))
		return true;
	if (is_left(reader, place)) {
		reader->reading->unsent++;
		return true;
	}
	switch (place->plan->row->make) {
	case ROW_MESSAGE:
	case ROW_SUMMARY:
		return row_message_make(reader, place);
	case ROW_CALL:
		return row_message_call(reader, place);
	case ROW_RESULT:
		return row_message_result(reader, place);
	case ROW_INSIDE:
		return make_inside(reader, place);
	case ROW_ALSO:
		return true;
	case ROW_BREAK:
		row_message_break(reader);
		return true;
	case ROW_SKIP:
		if (place->plan->row->record != NULL)
			row_message_record(reader, place);
		skip(reader, place);
		return true;
	case ROW_THINKING:
		return row_message_thinking(reader, place);
	default:
		return row_message_part(reader, place);
	}
}

/* The steps before the message of a row: session, verbs, variables. Returns false when the row has
 * nothing new. */
static bool
prepare(struct row_reader *reader, struct row_place *place)
{
	const struct row_plan *plan = place->plan;
	enum row_history_verb verb = plan->row->verb;
	uint64_t dropped;

	if (plan->row->begins && !row_session_begin(reader, place))
		return false;
	if (verb != ROW_HISTORY_NOTHING && !reader->reading->all) {
		if (!reader->joiner.hold)
			dialect_note_late(reader->reading, place->line);
		row_message_close(reader);
		dropped =
		    row_history_apply(&reader->history, verb, row_place_find(place, &plan->at));
		if (verb == ROW_HISTORY_DROP_ALL)
			reader->reading->compacted += dropped;
		else
			reader->reading->left += dropped;
	}
	for (const struct row_plan_member *set = plan->sets; set->name.len > 0; set++) {
		struct json_value value = member_find(&place->view, &set->at);

		if (value.type > JSON_NULL)
			row_reader_set(reader, set->variable, value);
	}
	return true;
}

static bool
is_message(enum row_make made)
{
	return made == ROW_MESSAGE || made == ROW_SUMMARY || made == ROW_RESULT;
}

static bool
read_value(struct row_reader *reader, const struct line *line, struct json_value record,
    const struct row_table *table, struct json_value value)
{
	const char *counted = reader->counted;
	struct row_place place; /* most of the view stays uninitialized */
	bool is_understood;

	place.line = line;
	place.record = record;
	place.value = value;
	place.table = table;
	member_view_open(&place.view, &table->tree, &reader->variables, record, value);
	place.plan = row_table_find(table, &place.view);
	row_census_note(reader, &place);
	if (place.plan == NULL)
		return false;
	if (!prepare(reader, &place)) {
		skip(reader, &place);
		reader->counted = counted;
		return true;
	}
	reader->has_begun = true;
	is_understood = make(reader, &place);
	count_sealed(reader, &place);
	/* Those that are closed when they are made have done it. */
	if (is_understood && place.plan->row->also != NULL && !is_message(place.plan->row->make))
		is_understood = place.plan->row->also(reader, &place);
	reader->counted = counted;
	return is_understood;
}

bool
row_reader_read(struct row_reader *reader, const struct row_place *place, const struct row *rows,
    struct json_value value)
{
	return read_value(
	    reader, place->line, value, row_table_compile(reader->dialect, rows), value);
}

/* Whether the record is a document of another agent, which a row for any list would partly read. Of
 * objects, only the first of a file is checked. */
static bool
is_other_document(const struct row_reader *reader, struct json_value value, bool is_first)
{
	return (value.type == JSON_ARRAY ||
		   (is_first && json_find(value, STR("messages")).type == JSON_ARRAY)) &&
	    dialect_is_other(reader->dialect->dialect, value);
}

/* Whether the record is one of the dialect, and no canonical one. */
static bool
is_own(const struct row_reader *reader, const struct record *record, bool is_first)
{
	if (record->kind == RECORD_FOREIGN)
		return !is_other_document(reader, record->message->value, is_first);
	return record->kind == RECORD_MESSAGE &&
	    dialect_takes(reader->dialect->dialect, record->message->value);
}

/* Reads a record of the dialect. Returns false when no row is of it. */
static bool
read_own(struct row_reader *reader, const struct record *record)
{
	struct json_value value = record->message->value;
	bool is_held = json_hold_spans(json_span(value), record->message->spans);
	bool is_read = read_value(reader, &record->line, value, reader->table, value);

	if (is_held)
		json_release();
	if (!is_read)
		return false;
	reader->is_own = true;
	dialect_note_other(reader->reading, reader->dialect->dialect, &record->line);
	return true;
}

static void
take_record(struct row_reader *reader, struct record *record, bool is_first)
{
	if (is_own(reader, record, is_first) && read_own(reader, record))
		return;
	/* A record after a message is no part of the message gathered before it. */
	if (record->kind == RECORD_MESSAGE)
		row_session_close(reader);
	joiner_pass(&reader->joiner, NULL, NULL, record);
}

/* Whether later records of the file may take back earlier ones. */
static bool
may_take_back(const struct row_reader *reader, const char *file)
{
	const struct dialect_reading *reading = reader->reading;
	const char *const *marks = reader->dialect->marks;

	if (reading->all)
		return reader->dialect->replaces;
	if (marks == NULL)
		return true;
	return marks[0] != NULL &&
	    (!reading->looks_ahead || reading->grows ||
		file_look_words(file, marks, reader->base.stage.fault));
}

static void
begin_file(struct row_reader *reader, const struct line *line)
{
	struct joiner *joiner = &reader->joiner;

	if (reader->newest.file != NULL)
		end_file(reader);
	reader->newest.file = line->file;
	joiner->hold = may_take_back(reader, line->file);
	joiner->grows = joiner->hold && reader->reading->grows && reader->dialect->grows;
	joiner->sends_once = reader->dialect->marks != NULL;
}

static void
take(struct stage *stage, struct record *record)
{
	struct row_reader *reader = (struct row_reader *)stage;
	bool is_first = reader->newest.file != record->line.file;

	if (record->kind == RECORD_BLANK)
		return;
	if (is_first)
		begin_file(reader, &record->line);
	reader->newest.number = record->line.number;
	reader->newest.place = record->line.place;
	take_record(reader, record, is_first);
	if (reader->joiner.grows)
		row_growth_send(reader, &record->line);
}

static void
end(struct stage *stage)
{
	end_file((struct row_reader *)stage);
}

static void
free_reader(struct dialect_stage *base)
{
	struct row_reader *reader = (struct row_reader *)base;

	joiner_free(&reader->joiner);
	row_history_free(&reader->history);
	for (unsigned i = 0; i < ROW_VARIABLES; i++)
		buf_free(&reader->variable[i]);
	buf_free(&reader->session);
	buf_free(&reader->parent);
	buf_free(&reader->waiting);
	buf_free(&reader->text);
	buf_free(&reader->extra);
	buf_free(&reader->scratch);
	if (reader->state != NULL)
		reader->dialect->free_state(reader->state);
	free(reader->state);
	free(reader);
}

struct dialect_stage *
row_reader(const struct row_dialect *dialect, struct dialect_reading *reading)
{
	struct row_reader *reader = mem_alloc(1, sizeof *reader);

	*reader =
	    (struct row_reader){.base = {.stage = {.take = take, .end = end}, .free = free_reader},
		.dialect = dialect,
		.table = row_table_compile(dialect, dialect->rows),
		.reading = reading,
		.read = read_inside,
		.joiner = {.stage = &reader->base.stage,
		    .sealed = reading->sealed,
		    .provenance = reading->provenance,
		    .names_lines = dialect->dialect->is_session},
		.variables = {dialect->variables, reader->variable}};
	if (dialect->state_size > 0) {
		reader->state = mem_alloc(1, dialect->state_size);
		memset(reader->state, 0, dialect->state_size);
	}
	row_history_init(&reader->history, &reader->joiner, dialect->is_tree);
	return &reader->base;
}
