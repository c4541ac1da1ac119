#include "dialects/session_file/session_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/message/timestamp.h"
#include "dialects/session_file/session_origin.h"
#include "dialects/session_file/session_stamp.h"
#include "dialects/session_file/form_writer.h"

enum { NUMBER = 24, ORDER = 128, PART_BYTES = 5 };

/* Placeholder for the id of the session until everything is written: no byte of JSON. */
static const char unknown_id[] = "\001";

struct session_file {
	struct form_writer writer;
	bool is_begun;
	int64_t ms; /* of the last message */
	int64_t held_ms;
	enum role last;                     /* of the last message */
	struct session_stamp_time time;     /* of the record */
	struct session_stamp_digest digest; /* of all messages so far */
	char uuid[SESSION_UUID], session[SESSION_UUID], parent[SESSION_UUID + 2];
	char order[ORDER], asked[ORDER], began[NUMBER];
	const struct session_file_place *place; /* or NULL */
	struct session_origin origin;
	struct buf document; /* all records, with LF between, or with commas */
};

static void
set(struct session_file *file, enum session_form_value at, const char *text)
{
	file->writer.parts.value[at] = str_from(text);
}

static void
set_time(struct session_file *file, int64_t ms)
{
	session_stamp_set(&file->time, ms);
	set(file, SESSION_ms, file->time.number);
	set(file, SESSION_time, file->time.time);
	set(file, SESSION_day, file->time.day);
	set(file, SESSION_clock, file->time.clock);
}

static void
hold(struct session_file *file, const struct buf *record)
{
	if (file->document.len > 0)
		buf_add_char(&file->document, file->writer.form->tail != NULL ? ',' : '\n');
	buf_add_str(&file->document, buf_str(record));
}

/* Holds the template filled with the values. */
static void
hold_form(struct session_file *file, const char *form)
{
	buf_reset(&file->writer.text);
	if (session_form_write(form, file->writer.parts.value, &file->writer.text))
		hold(file, &file->writer.text);
}

/* Takes the texts of the next record into the ids of records, and begins the file with the first of
 * them. Returns false where the run has begun another file. */
static bool
begin(struct session_file *file, const struct str *text, unsigned count)
{
	const struct session_form *form = file->writer.form;

	session_stamp_add(&file->digest, text, count);
	if (file->is_begun)
		return !fault_is_set(file->writer.base.stage.fault);
	file->is_begun = true;
	if (++*file->writer.base.begun > 1)
		return fault_set(file->writer.base.stage.fault, STATUS_DATA,
		    "several sessions, and a file of %s has one: pick it with --session-key "
		    "metadata.session_id and ctx-select session=ID",
		    form->name);
	memcpy(file->began, file->time.number, sizeof file->began);
	set(file, SESSION_began, file->began);
	file->writer.parts.value[SESSION_parent] = STR("null");
	if (form->head != NULL && form->tail == NULL)
		hold_form(file, form->head);
	return true;
}

/* Holds the record, which says the texts. */
static void
put_record(struct session_file *file, const char *form, const struct str *text, unsigned count)
{
	if (!begin(file, text, count))
		return;
	session_stamp_uuid(&file->digest, file->uuid);
	set(file, SESSION_uuid, file->uuid);
	hold_form(file, form);
	file->writer.records++;
	snprintf(file->parent, sizeof file->parent, "\"%s\"", file->uuid);
	set(file, SESSION_parent, file->parent);
}

/* The record of the lists, unless they are empty. */
static void
put_lists(struct session_file *file)
{
	static const enum session_form_value value[] = {
	    SESSION_parts, SESSION_calls, SESSION_thoughts};
	const struct session_form *form = file->writer.form;
	struct session_parts *parts = &file->writer.parts;
	enum role role = parts->role == ROLE_TOOL ? ROLE_ASSISTANT : parts->role;
	struct str said[SESSION_PLACE_COUNT + 1] = {parts->value[SESSION_time]};
	size_t len = 0;

	for (unsigned i = 0; i < SESSION_PLACE_COUNT; i++) {
		parts->value[value[i]] = said[1 + i] = session_parts_list(&parts->list[i]);
		len += parts->list[i].len;
	}
	if (len == 0)
		return;
	put_record(file, form_writer_form(form, role), said, SESSION_PLACE_COUNT + 1);
	if (role == ROLE_USER)
		memcpy(file->asked, file->order, sizeof file->asked);
	session_parts_clear(parts);
}

static bool
put_alone(struct session_parts *parts, const char *form)
{
	struct session_file *file = (struct session_file *)form_writer_of(parts);
	struct str said;

	buf_reset(&file->writer.alone);
	if (!session_form_write(form, parts->value, &file->writer.alone))
		return false;
	put_lists(file);
	said = buf_str(&file->writer.alone);
	if (begin(file, &said, 1))
		hold(file, &file->writer.alone);
	file->writer.records++;
	return true;
}

/* Writes the message that waits for results. */
static void
flush(struct session_file *file)
{
	if (!file->writer.is_held)
		return;
	set_time(file, file->held_ms);
	form_writer_add_open(&file->writer, session_call_count(&file->writer.calls));
	put_lists(file);
	file->writer.is_held = false;
}

/* Sets the values of the record that the message begins. */
static void
set_message(struct session_file *file, const struct message *message)
{
	const struct session_form *form = file->writer.form;
	const char *stop = form->stop[!message_has_calls(message)];

	if (file->place != NULL)
		snprintf(file->order, sizeof file->order, "%.*s%02jx", STR_ARG(file->place->order),
		    (uintmax_t)file->writer.records);
	else
		snprintf(file->order, sizeof file->order, "%012jx%s",
		    (uintmax_t)file->writer.records, unknown_id);
	set(file, SESSION_order, file->order);
	set(file, SESSION_asked, file->asked);
	set_time(file, file->ms);
	session_origin_read(&file->origin, form, message, file->writer.parts.value);
	set(file, SESSION_stop, stop != NULL ? stop : "");
	set(file, SESSION_injected, message_origin(message) == ORIGIN_INJECTED ? "true" : "false");
}

static void
write_message(struct session_file *file, const struct message *message, enum role role)
{
	set_message(file, message);
	form_writer_add(&file->writer, message, role);
	file->held_ms = file->ms;
	if (!file->writer.is_held)
		put_lists(file);
}

static void
write_result(struct session_file *file, const struct message *message, size_t call)
{
	const struct str *value = file->writer.parts.value;

	form_writer_read_result(&file->writer, message, call);
	if (file->writer.form->result == NULL)
		set_time(file, file->ms);
	else
		set_message(file, message);
	if (form_writer_add_result(&file->writer, message, call))
		return;
	put_record(file, file->writer.form->result,
	    (const struct str[]){value[SESSION_time], value[SESSION_call], value[SESSION_output],
		value[SESSION_failed]},
	    4);
	session_parts_clear(&file->writer.parts);
}

/* Writes a system message before all others into the head. */
static void
write_instructions(struct session_file *file, const struct message *message)
{
	struct session_parts *parts = &file->writer.parts;

	set_time(file, file->ms);
	session_parts_begin(parts, ROLE_SYSTEM);
	parts->no_files = true;
	session_parts_add_thinking(parts, message->reasoning);
	session_parts_add_content(parts, message->content);
	session_parts_set_output(parts);
	parts->value[SESSION_instructions] = parts->value[SESSION_flat];
	begin(file, &parts->value[SESSION_flat], 1);
	session_parts_clear(parts);
}

static void
take(struct stage *stage, struct record *record)
{
	struct session_file *file = (struct session_file *)stage;
	struct message read;
	const struct message *message = dialect_message(stage, record, &read);
	ptrdiff_t call = SESSION_CALL_NONE;
	enum role role;
	int64_t ms;

	if (record->kind == RECORD_CONTEXT)
		tally_add(file->writer.base.dropped, STR("context"));
	if (message == NULL)
		return;
	file->writer.line = (struct line){.file = record->line.file, .number = record->line.number};
	role = message->role == ROLE_DEVELOPER ? ROLE_SYSTEM : message->role;
	ms = timestamp_read(message->meta[METADATA_TIMESTAMP]);
	file->writer.parts.dropped = file->writer.base.dropped;
	if (file->origin.cwd.len == 0 &&
	    !session_origin_open(
		&file->origin, message, file->writer.parts.value, file->writer.base.stage.fault))
		return;
	/* An answer joined to the one before has the time of that one. */
	if (ms >= 0 && (ms > file->ms || !file->writer.form->is_sorted) &&
	    !(file->writer.form->joins_answers && role == ROLE_ASSISTANT && file->last == role))
		file->ms = ms;
	if (file->place != NULL && file->place->until > 0 && file->ms > file->place->until)
		file->ms = file->place->until;
	file->last = role;
	if (!file->is_begun && role == ROLE_SYSTEM && message->role == role &&
	    file->writer.form->has_instructions) {
		write_instructions(file, message);
		return;
	}
	if (role == ROLE_TOOL)
		call = session_call_find(&file->writer.calls, message->tool_call_id);
	if (call >= 0) {
		write_result(file, message, (size_t)call);
		return;
	}
	flush(file);
	if (role == ROLE_SYSTEM && file->writer.form->system == NULL)
		tally_add(file->writer.base.dropped, STR("system"));
	else
		write_message(file, message, role == ROLE_TOOL ? ROLE_USER : role);
}

/* Emits all that is held, in which the id of the session is known now. */
static void
put_document(struct session_file *file)
{
	struct str *value = file->writer.parts.value, rest;
	struct session_stamp_digest digest = {{0}};

	session_origin_settle(&file->origin, &file->document);
	rest = buf_str(&file->document);
	session_stamp_add(&digest, &rest, 1);
	session_stamp_uuid(&digest, file->session);
	if (file->place != NULL) {
		dialect_emit(&file->writer.base.stage, &file->writer.line, &file->document);
		return;
	}
	if (file->writer.form->tail != NULL) {
		buf_reset(&file->writer.content);
		session_form_write(file->writer.form->head, value, &file->writer.content);
		buf_add_str(&file->writer.content, rest);
		session_form_write(file->writer.form->tail, value, &file->writer.content);
		rest = buf_str(&file->writer.content);
	}
	set(file, SESSION_session, file->session);
	while (rest.len > 0) {
		buf_reset(&file->writer.text);
		session_form_put(str_take_line(&rest), unknown_id[0], value[SESSION_session],
		    &file->writer.text);
		dialect_emit(&file->writer.base.stage, &file->writer.line, &file->writer.text);
	}
}

static void
end(struct stage *stage)
{
	struct session_file *file = (struct session_file *)stage;

	flush(file);
	if (!file->is_begun || fault_is_set(stage->fault))
		return;
	put_document(file);
	session_form_say(
	    file->writer.form->resume, file->writer.parts.value, &file->writer.base.resume);
}

void
session_file_put_at(struct dialect_stage *stage, const struct session_file_place *place)
{
	struct session_file *file = (struct session_file *)stage;

	file->place = place;
	file->is_begun = true;
	session_stamp_add(
	    &file->digest, (const struct str[]){place->session, place->parent, place->order}, 3);
	for (unsigned i = 0; i < PART_BYTES; i++)
		file->writer.parts.parts = file->writer.parts.parts << 8 | file->digest.byte[i];
	file->writer.parts.value[SESSION_session] = place->session;
	file->writer.parts.value[SESSION_parent] = place->parent;
	snprintf(file->asked, sizeof file->asked, "%.*s", STR_ARG(place->asked));
	file->ms = place->ms;
	set_time(file, file->ms);
}

void
session_file_name_model(struct dialect_stage *stage, const struct message *message)
{
	struct session_file *file = (struct session_file *)stage;

	session_origin_read(&file->origin, file->writer.form, message, file->writer.parts.value);
}

void
session_file_recall(struct dialect_stage *stage, const struct message *message)
{
	struct session_file *file = (struct session_file *)stage;

	form_writer_recall(&file->writer, message);
}

void
session_file_last(const struct dialect_stage *stage, struct session_file_place *place)
{
	const struct session_file *file = (const struct session_file *)stage;

	snprintf(place->last, sizeof place->last, "%s", file->parent);
	snprintf(place->last_asked, sizeof place->last_asked, "%s", file->asked);
}

static void
free_writer(struct dialect_stage *base)
{
	struct session_file *file = (struct session_file *)base;

	session_origin_free(&file->origin);
	buf_free(&file->document);
	form_writer_free(&file->writer);
}

struct dialect_stage *
session_file_writer(const struct session_form *form)
{
	struct session_file *file = mem_alloc(1, sizeof *file);

	*file = (struct session_file){
	    .writer.base = {.stage = {.take = take, .end = end}, .free = free_writer},
	    /* The parent of an answer before all questions is the first message. */
	    .asked = "000000000000\001"};
	/* Claude Code loses the result of a call c_2 after a call c. */
	form_writer_init(&file->writer, form, put_alone, '-');
	set(file, SESSION_session, unknown_id);
	return &file->writer.base;
}
