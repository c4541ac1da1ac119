#include "dialects/session_file/session_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/message/timestamp.h"
#include "dialects/parts/text_part.h"
#include "dialects/session_file/session_call.h"
#include "dialects/session_file/session_origin.h"
#include "dialects/session_file/session_parts.h"
#include "dialects/session_file/session_stamp.h"
#include "json/string.h"

enum { NUMBER = 24, ORDER = 128, PART_BYTES = 5 };

/* Stands for the id of the session until all that has it is there: no byte of JSON. */
static const char unknown_id[] = "\001";

struct writer {
	struct dialect_stage base;
	const struct session_form *form;
	struct session_parts parts;
	struct line line; /* the last line that added to the output */
	bool is_begun;
	bool is_held; /* a message with calls, whose record waits for their results */
	int64_t ms;   /* of the last message */
	int64_t held_ms;
	enum role last;                 /* of the last message */
	struct session_stamp_time time; /* of the record */
	uint64_t records;
	struct session_stamp_digest digest; /* of all messages so far */
	char uuid[SESSION_UUID], session[SESSION_UUID], parent[SESSION_UUID + 2];
	char order[ORDER], asked[ORDER], began[NUMBER];
	const struct session_file_place *place; /* or NULL */
	struct session_call_list calls;
	struct session_origin origin;
	struct buf text;     /* the record that is written */
	struct buf document; /* all records, with LF between, or with commas */
	struct buf alone;    /* a record that is one part */
	struct buf content;
};

static void
set(struct writer *writer, enum session_form_value at, const char *text)
{
	writer->parts.value[at] = str_from(text);
}

static void
set_time(struct writer *writer, int64_t ms)
{
	session_stamp_set(&writer->time, ms);
	set(writer, SESSION_ms, writer->time.number);
	set(writer, SESSION_time, writer->time.time);
	set(writer, SESSION_day, writer->time.day);
	set(writer, SESSION_clock, writer->time.clock);
}

static void
hold(struct writer *writer, const struct buf *record)
{
	if (writer->document.len > 0)
		buf_add_char(&writer->document, writer->form->tail != NULL ? ',' : '\n');
	buf_add_str(&writer->document, buf_str(record));
}

/* Holds what the template says with the values. */
static void
hold_form(struct writer *writer, const char *form)
{
	buf_reset(&writer->text);
	if (session_form_write(form, writer->parts.value, &writer->text))
		hold(writer, &writer->text);
}

/* Takes the texts of the next record into the ids of records, and begins the file with the first of
 * them. Returns false where the run has begun another file. */
static bool
begin(struct writer *writer, const struct str *text, unsigned count)
{
	const struct session_form *form = writer->form;

	session_stamp_add(&writer->digest, text, count);
	if (writer->is_begun)
		return !fault_is_set(writer->base.stage.fault);
	writer->is_begun = true;
	if (++*writer->base.begun > 1)
		return fault_set(writer->base.stage.fault, STATUS_DATA,
		    "several sessions, and a file of %s has one: pick it with --session-key "
		    "metadata.session_id and ctx-select session=ID",
		    form->name);
	memcpy(writer->began, writer->time.number, sizeof writer->began);
	set(writer, SESSION_began, writer->began);
	writer->parts.value[SESSION_parent] = STR("null");
	if (form->head != NULL && form->tail == NULL)
		hold_form(writer, form->head);
	return true;
}

/* Holds the record, which says the texts. */
static void
put_record(struct writer *writer, const char *form, const struct str *text, unsigned count)
{
	if (!begin(writer, text, count))
		return;
	session_stamp_uuid(&writer->digest, writer->uuid);
	set(writer, SESSION_uuid, writer->uuid);
	hold_form(writer, form);
	writer->records++;
	snprintf(writer->parent, sizeof writer->parent, "\"%s\"", writer->uuid);
	set(writer, SESSION_parent, writer->parent);
}

/* The record of the lists, unless they are empty. Returns whether there is one. */
static bool
put_lists(struct writer *writer)
{
	static const enum session_form_value value[] = {
	    SESSION_parts, SESSION_calls, SESSION_thoughts};
	const struct session_form *form = writer->form;
	struct session_parts *parts = &writer->parts;
	enum role role = parts->role == ROLE_TOOL ? ROLE_ASSISTANT : parts->role;
	struct str said[SESSION_PLACE_COUNT + 1] = {parts->value[SESSION_time]};
	size_t len = 0;

	for (unsigned i = 0; i < SESSION_PLACE_COUNT; i++) {
		parts->value[value[i]] = said[1 + i] = session_parts_list(&parts->list[i]);
		len += parts->list[i].len;
	}
	if (len == 0)
		return false;
	put_record(writer,
	    role == ROLE_USER          ? form->user :
		role == ROLE_ASSISTANT ? form->assistant :
					 form->system,
	    said, SESSION_PLACE_COUNT + 1);
	if (role == ROLE_USER)
		memcpy(writer->asked, writer->order, sizeof writer->asked);
	session_parts_clear(parts);
	return true;
}

static bool
put_alone(struct session_parts *parts, const char *form)
{
	struct writer *writer = (struct writer *)((char *)parts - offsetof(struct writer, parts));
	struct str said;

	buf_reset(&writer->alone);
	if (!session_form_write(form, parts->value, &writer->alone))
		return false;
	put_lists(writer);
	said = buf_str(&writer->alone);
	if (begin(writer, &said, 1))
		hold(writer, &writer->alone);
	writer->records++;
	return true;
}

/* Adds the calls, unless their results must be there. */
static void
add_calls(struct writer *writer, const struct message *message)
{
	struct call_walk walk = call_walk_of(message);
	struct tool_call call;

	session_call_begin(&writer->calls);
	while (call_walk_next(&walk, &call)) {
		session_call_add(&writer->calls, &call, writer->parts.value);
		if (writer->form->result != NULL)
			session_parts_add(&writer->parts, SESSION_CALL);
	}
}

/* Writes the calls before that one, which have no results, as open. */
static void
add_open(struct writer *writer, size_t end)
{
	for (; writer->form->result == NULL && writer->calls.next < end; writer->calls.next++) {
		session_call_set(&writer->calls, writer->calls.next, writer->parts.value);
		session_parts_add(&writer->parts, SESSION_OPEN);
	}
}

/* Writes the message that waits for results. */
static void
flush(struct writer *writer)
{
	if (!writer->is_held)
		return;
	set_time(writer, writer->held_ms);
	add_open(writer, session_call_count(&writer->calls));
	put_lists(writer);
	writer->is_held = false;
}

/* Sets the values of the record that the message begins. */
static void
set_message(struct writer *writer, const struct message *message)
{
	const struct session_form *form = writer->form;
	const char *stop = form->stop[!message_has_calls(message)];

	if (writer->place != NULL)
		snprintf(writer->order, sizeof writer->order, "%.*s%02jx",
		    STR_ARG(writer->place->order), (uintmax_t)writer->records);
	else
		snprintf(writer->order, sizeof writer->order, "%012jx%s",
		    (uintmax_t)writer->records, unknown_id);
	set(writer, SESSION_order, writer->order);
	set(writer, SESSION_asked, writer->asked);
	set_time(writer, writer->ms);
	session_origin_read(&writer->origin, form, message, writer->parts.value);
	set(writer, SESSION_stop, stop != NULL ? stop : "");
	set(writer, SESSION_injected,
	    message_origin(message) == ORIGIN_INJECTED ? "true" : "false");
}

static void
write_message(struct writer *writer, const struct message *message, enum role role)
{
	struct session_parts *parts = &writer->parts;
	uint64_t counted = writer->base.dropped->sum, records = writer->records;

	set_message(writer, message);
	session_parts_begin(parts, role);
	session_parts_add_thinking(parts, message->reasoning);
	session_parts_add_content(parts, text_part_join(message, &writer->content));
	if (session_parts_is_command(parts)) {
		session_parts_clear(parts);
		tally_add(writer->base.dropped, STR("text that is a command"));
		return;
	}
	if (role == ROLE_ASSISTANT)
		session_parts_add_refusal(parts, message->refusal);
	session_parts_set_output(parts);
	add_calls(writer, message);
	writer->held_ms = writer->ms;
	writer->is_held = session_call_count(&writer->calls) > 0 && writer->form->result == NULL;
	if (!writer->is_held && !put_lists(writer) && writer->records == records)
		text_part_drop_message(message, counted, writer->base.dropped);
}

static void
write_result(struct writer *writer, const struct message *message, size_t call)
{
	struct session_parts *parts = &writer->parts;
	bool is_failed = message_is(message, METADATA_IS_ERROR);
	enum session_form_part part = is_failed && writer->form->part[SESSION_FAILED].form != NULL ?
	    SESSION_FAILED :
	    SESSION_CALL;

	add_open(writer, call);
	writer->calls.next = call + 1;
	session_parts_begin(parts, ROLE_TOOL);
	session_parts_add_thinking(parts, message->reasoning);
	parts->no_files =
	    writer->form->result == NULL && strstr(writer->form->part[part].form, "files>") == NULL;
	session_parts_add_content(parts, text_part_join(message, &writer->content));
	session_parts_set_output(parts);
	set(writer, SESSION_failed, is_failed ? "true" : "false");
	if (is_failed != session_parts_says_failure(parts, is_failed))
		tally_add(writer->base.dropped, STR("is_error"));
	if (writer->form->result == NULL)
		set_time(writer, writer->ms);
	else
		set_message(writer, message);
	session_call_set(&writer->calls, call, parts->value);
	if (writer->form->result == NULL)
		session_parts_add(parts, part);
	else {
		put_record(writer, writer->form->result,
		    (const struct str[]){parts->value[SESSION_time], parts->value[SESSION_call],
			parts->value[SESSION_output], parts->value[SESSION_failed]},
		    4);
		session_parts_clear(parts);
	}
}

/* Writes a system message in front of all others into the head. */
static void
write_instructions(struct writer *writer, const struct message *message)
{
	struct session_parts *parts = &writer->parts;

	set_time(writer, writer->ms);
	session_parts_begin(parts, ROLE_SYSTEM);
	parts->no_files = true;
	session_parts_add_thinking(parts, message->reasoning);
	session_parts_add_content(parts, message->content);
	session_parts_set_output(parts);
	parts->value[SESSION_instructions] = parts->value[SESSION_flat];
	begin(writer, &parts->value[SESSION_flat], 1);
	session_parts_clear(parts);
}

static void
take(struct stage *stage, struct record *record)
{
	struct writer *writer = (struct writer *)stage;
	struct message read;
	const struct message *message = dialect_message(stage, record, &read);
	ptrdiff_t call = SESSION_CALL_NONE;
	enum role role;
	int64_t ms;

	if (record->kind == RECORD_CONTEXT)
		tally_add(writer->base.dropped, STR("context"));
	if (message == NULL)
		return;
	writer->line = (struct line){.file = record->line.file, .number = record->line.number};
	role = message->role == ROLE_DEVELOPER ? ROLE_SYSTEM : message->role;
	ms = timestamp_read(message->meta[METADATA_TIMESTAMP]);
	writer->parts.dropped = writer->base.dropped;
	if (writer->origin.cwd.len == 0 &&
	    !session_origin_open(
		&writer->origin, message, writer->parts.value, writer->base.stage.fault))
		return;
	/* An answer that is joined to the one before it has the time of that. */
	if (ms >= 0 && (ms > writer->ms || !writer->form->is_sorted) &&
	    !(writer->form->joins_answers && role == ROLE_ASSISTANT && writer->last == role))
		writer->ms = ms;
	if (writer->place != NULL && writer->place->until > 0 && writer->ms > writer->place->until)
		writer->ms = writer->place->until;
	writer->last = role;
	if (!writer->is_begun && role == ROLE_SYSTEM && message->role == role &&
	    writer->form->has_instructions) {
		write_instructions(writer, message);
		return;
	}
	if (role == ROLE_TOOL)
		call = session_call_find(&writer->calls, message->tool_call_id);
	if (call >= 0) {
		write_result(writer, message, (size_t)call);
		return;
	}
	flush(writer);
	if (role == ROLE_SYSTEM && writer->form->system == NULL)
		tally_add(writer->base.dropped, STR("system"));
	else
		write_message(writer, message, role == ROLE_TOOL ? ROLE_USER : role);
}

/* Emits all that is held, in which the id of the session is known now. */
static void
put_document(struct writer *writer)
{
	struct str *value = writer->parts.value, rest = buf_str(&writer->document);
	struct session_stamp_digest digest = {{0}};

	session_stamp_add(&digest, &rest, 1);
	session_stamp_uuid(&digest, writer->session);
	if (writer->place != NULL) {
		dialect_emit(&writer->base.stage, &writer->line, &writer->document);
		return;
	}
	if (writer->form->tail != NULL) {
		buf_reset(&writer->content);
		session_form_write(writer->form->head, value, &writer->content);
		buf_add_str(&writer->content, rest);
		session_form_write(writer->form->tail, value, &writer->content);
		rest = buf_str(&writer->content);
	}
	set(writer, SESSION_session, writer->session);
	while (rest.len > 0) {
		buf_reset(&writer->text);
		session_form_put_id(
		    str_take_line(&rest), unknown_id[0], value[SESSION_session], &writer->text);
		dialect_emit(&writer->base.stage, &writer->line, &writer->text);
	}
}

static void
end(struct stage *stage)
{
	struct writer *writer = (struct writer *)stage;

	flush(writer);
	if (!writer->is_begun || fault_is_set(stage->fault))
		return;
	put_document(writer);
	session_form_say(writer->form->resume, writer->parts.value, &writer->base.resume);
}

void
session_file_put_at(struct dialect_stage *stage, const struct session_file_place *place)
{
	struct writer *writer = (struct writer *)stage;

	writer->place = place;
	writer->is_begun = true;
	session_stamp_add(
	    &writer->digest, (const struct str[]){place->session, place->parent, place->order}, 3);
	for (unsigned i = 0; i < PART_BYTES; i++)
		writer->parts.parts = writer->parts.parts << 8 | writer->digest.byte[i];
	writer->parts.value[SESSION_session] = place->session;
	writer->parts.value[SESSION_parent] = place->parent;
	snprintf(writer->asked, sizeof writer->asked, "%.*s", STR_ARG(place->asked));
	writer->ms = place->ms;
	set_time(writer, writer->ms);
}

void
session_file_last(const struct dialect_stage *stage, struct session_file_place *place)
{
	const struct writer *writer = (const struct writer *)stage;

	snprintf(place->last, sizeof place->last, "%s",
	    writer->parent[0] != '\0' ? writer->parent : "null");
	snprintf(place->last_asked, sizeof place->last_asked, "%s", writer->asked);
}

static void
free_writer(struct dialect_stage *base)
{
	struct writer *writer = (struct writer *)base;

	session_parts_free(&writer->parts);
	buf_free(&base->resume);
	session_call_free(&writer->calls);
	session_origin_free(&writer->origin);
	buf_free(&writer->text);
	buf_free(&writer->document);
	buf_free(&writer->content);
	buf_free(&writer->alone);
	free(writer);
}

struct dialect_stage *
session_file_writer(const struct session_form *form)
{
	struct writer *writer = mem_alloc(1, sizeof *writer);

	*writer =
	    (struct writer){.base = {.stage = {.take = take, .end = end}, .free = free_writer},
		.form = form,
		.parts = {.form = form, .put_alone = put_alone},
		/* Claude Code loses the result of a call c_2 behind one of the id c. */
		.calls = {.name_max = form->name_max,
		    .ids = {.rule = CALL_IDS_ANTHROPIC,
			.mark = '-',
			.max = form->id_max,
			.keeps_joined = form->keeps_joined_ids}},
		/* The parent of an answer in front of all questions is the first message. */
		.asked = "000000000000\001"};
	set(writer, SESSION_session, unknown_id);
	return &writer->base;
}
