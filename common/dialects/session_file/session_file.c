#include "dialects/session_file/session_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/hash/blake2b.h"
#include "base/mem.h"
#include "data/message/timestamp.h"
#include "dialects/parts/call_ids.h"
#include "dialects/parts/call_input.h"
#include "dialects/parts/name.h"
#include "dialects/parts/text_part.h"
#include "dialects/session_file/session_parts.h"
#include "json/string.h"
#include "json/write.h"

enum { DIGEST = 16, UUID = 36, NUMBER = 24 };

/* Stands for the id of the session in a document, until it is known: no byte of JSON. */
static const struct str unknown_id = STR_INIT("\001");

/* A call of the last message: its id, name and input lie in a row in input. */
struct call {
	size_t at, id, name, input; /* where, and their lengths */
	size_t written;             /* the same of the input as a string, behind these */
};

struct writer {
	struct dialect_stage base;
	const struct session_form *form;
	struct session_parts parts;
	struct line line; /* the last line that added to the output */
	bool is_begun;
	bool is_held; /* a message with calls, whose record waits for their results */
	int64_t ms;   /* of the last message, since 1970 */
	int64_t held_ms;
	uint64_t records;
	uint8_t digest[DIGEST]; /* of all messages so far */
	char uuid[UUID + 1], session[UUID + 1];
	char parent[UUID + 3], order[NUMBER], asked[NUMBER];
	char time[2 * NUMBER], number[NUMBER], began[NUMBER], day[NUMBER], clock[NUMBER];
	struct call_ids ids;
	struct buf calls; /* struct call */
	size_t next;      /* of these, the one behind the last that has its result */
	struct buf input; /* what they are made of */
	struct buf model, provider, api;
	struct buf text;     /* the record that is written */
	struct buf document; /* its records, with commas between */
	struct buf alone; /* a record that is one part */
	struct buf content, id, scratch;
};

static void
set(struct writer *writer, enum session_value at, const char *text)
{
	writer->parts.value[at] = str_from(text);
}

static void
write_uuid(const uint8_t digest[DIGEST], char uuid[UUID + 1])
{
	struct buf hex = BUF_INIT;
	uint8_t byte[DIGEST];

	memcpy(byte, digest, DIGEST);
	byte[6] = (uint8_t)((byte[6] & 0x0f) | 0x80); /* RFC 9562: one by a rule of one's own */
	byte[8] = (uint8_t)((byte[8] & 0x3f) | 0x80);
	buf_add_hex(&hex, byte, DIGEST);
	snprintf(uuid, UUID + 1, "%.8s-%.4s-%.4s-%.4s-%.12s", hex.ptr, hex.ptr + 8, hex.ptr + 12,
	    hex.ptr + 16, hex.ptr + 20);
	buf_free(&hex);
}

/* Goes on with the digest. */
static void
digest_text(struct writer *writer, struct str text)
{
	struct blake2b state;

	blake2b_init(&state, DIGEST);
	blake2b_add(&state, str_of((const char *)writer->digest, DIGEST));
	blake2b_add(&state, text);
	blake2b_end(&state, writer->digest);
}

static void
set_time(struct writer *writer, int64_t ms)
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm = {.tm_mday = 1};

	gmtime_r(&seconds, &tm);
	snprintf(writer->number, sizeof writer->number, "%jd", (intmax_t)ms);
	snprintf(writer->day, sizeof writer->day, "%04d/%02d/%02d", (tm.tm_year + 1900) % 10000,
	    (tm.tm_mon + 1) % 100, tm.tm_mday % 100);
	snprintf(writer->clock, sizeof writer->clock, "%.4s-%.2s-%.2sT%02d-%02d-%02d", writer->day,
	    writer->day + 5, writer->day + 8, tm.tm_hour % 100, tm.tm_min % 100, tm.tm_sec % 100);
	snprintf(writer->time, sizeof writer->time, "%.11s%.2s:%.2s:%.2s.%03dZ", writer->clock,
	    writer->clock + 11, writer->clock + 14, writer->clock + 17, (int)(ms % 1000));
	set(writer, SESSION_ms, writer->number);
	set(writer, SESSION_time, writer->time);
}

/* Emits the record, or keeps it for the document. */
static void
put_record(struct writer *writer, const char *form)
{
	struct buf *to = &writer->text;

	if (writer->form->tail != NULL) {
		to = &writer->document;
		if (to->len > 0)
			buf_add_char(to, ',');
	} else {
		buf_reset(to);
	}
	if (session_form_write(form, writer->parts.value, to) && to == &writer->text)
		dialect_emit(&writer->base.stage, &writer->line, to);
	writer->records++;
	snprintf(writer->parent, sizeof writer->parent, "\"%s\"", writer->uuid);
	set(writer, SESSION_parent, writer->parent);
}

/* The record of the lists, unless they are empty. Returns whether there is one. */
static bool
put_lists(struct writer *writer)
{
	static const enum session_value value[] = {
	    SESSION_parts, SESSION_calls, SESSION_thoughts};
	const struct session_form *form = writer->form;
	struct session_parts *parts = &writer->parts;
	enum role role = parts->role == ROLE_TOOL ? ROLE_ASSISTANT : parts->role;
	size_t len = 0;

	for (unsigned i = 0; i < SESSION_PLACE_COUNT; i++) {
		parts->value[value[i]] = session_parts_list(&parts->list[i]);
		len += parts->list[i].len;
	}
	if (len == 0)
		return false;
	put_record(writer,
	    role == ROLE_USER              ? form->user :
		role == ROLE_ASSISTANT ? form->assistant :
					 form->system);
	for (unsigned i = 0; i < SESSION_PLACE_COUNT; i++)
		buf_reset(&parts->list[i]);
	return true;
}

static bool
put_alone(struct session_parts *parts, const char *form)
{
	struct writer *writer =
	    (struct writer *)((char *)parts - offsetof(struct writer, parts));

	buf_reset(&writer->alone);
	if (!session_form_write(form, parts->value, &writer->alone))
		return false;
	put_lists(writer);
	dialect_emit(&writer->base.stage, &writer->line, &writer->alone);
	writer->records++;
	return true;
}

/* Sets the values of a call. */
static void
set_call(struct writer *writer, const struct call *call)
{
	struct str *value = writer->parts.value;
	const char *at = writer->input.ptr + call->at;

	value[SESSION_call] = str_of(at, call->id);
	value[SESSION_name] = str_of(at + call->id, call->name);
	value[SESSION_arguments] = str_of(at + call->id + call->name, call->input);
	value[SESSION_written] =
	    str_of(at + call->id + call->name + call->input, call->written);
}

/* Appends the arguments as a string; the last len bytes of input are the object that they are. */
static void
add_written(struct writer *writer, struct json_value arguments, size_t len)
{
	struct buf *input = &writer->input;

	if (arguments.type == JSON_STRING && !json_is_blank(arguments)) {
		buf_add_str(input, json_span(arguments));
		return;
	}
	buf_set(&writer->scratch, str_of(input->ptr + input->len - len, len));
	json_write_string(input, buf_str(&writer->scratch));
}

/* Notes the call, and adds it, unless its result must be there. */
static void
add_call(struct writer *writer, const struct tool_call *call)
{
	struct buf *input = &writer->input;
	struct call noted = {.at = input->len};

	call_ids_call(&writer->ids, call->id, input);
	noted.id = input->len - noted.at;
	name_write(call->name, writer->form->name_max, input);
	noted.name = input->len - noted.at - noted.id;
	call_input_write(call->arguments, input, &writer->scratch);
	noted.input = input->len - noted.at - noted.id - noted.name;
	add_written(writer, call->arguments, noted.input);
	noted.written = input->len - noted.at - noted.id - noted.name - noted.input;
	buf_add(&writer->calls, &noted, sizeof noted);
	if (writer->form->result == NULL)
		return;
	set_call(writer, &noted);
	session_parts_add(&writer->parts, SESSION_CALL);
}

static void
add_calls(struct writer *writer, const struct message *message)
{
	struct call_walk walk;
	struct tool_call call;

	buf_reset(&writer->calls);
	buf_reset(&writer->input);
	writer->next = 0;
	call_ids_begin(&writer->ids);
	if (message->role != ROLE_ASSISTANT)
		return;
	call_walk_open(&walk, message);
	while (call_walk_next(&walk, &call))
		add_call(writer, &call);
}

/* Writes the calls before that one as open. */
static void
add_open(struct writer *writer, size_t end)
{
	const struct call *call = (const struct call *)writer->calls.ptr;

	for (; writer->next < end; writer->next++) {
		if (writer->form->result != NULL)
			continue;
		set_call(writer, &call[writer->next]);
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
	add_open(writer, writer->calls.len / sizeof(struct call));
	put_lists(writer);
	writer->is_held = false;
}

/* Sets the name, as JSON, that the metadata says, or leaves the last. */
static void
set_name(struct buf *name, struct json_value said)
{
	if (said.type == JSON_STRING)
		buf_set(name, json_span(said));
	else if (name->len == 0)
		buf_set(name, STR("\"unknown\""));
}

/* Sets what the message says of its model, as members of metadata.x_FORMAT, which differ. */
static void
set_names(struct writer *writer, const struct message *message)
{
	struct json_value extra = json_find(message->metadata, str_from(writer->form->extra));
	struct json_value model = message_model(message), asked = json_find(extra, STR("model"));
	struct json_value provider = json_find(extra, STR("provider"));
	struct str *value = writer->parts.value;

	if (provider.type != JSON_STRING)
		provider = json_find(
		    asked.type == JSON_OBJECT ? asked : extra, STR("providerID"));
	set_name(&writer->model,
	    model.type == JSON_STRING ? model : json_find(asked, STR("modelID")));
	set_name(&writer->provider, provider);
	set_name(&writer->api, json_find(extra, STR("api")));
	value[SESSION_model] = buf_str(&writer->model);
	value[SESSION_provider] = buf_str(&writer->provider);
	value[SESSION_api] = buf_str(&writer->api);
}

/* Sets the values of the record that the message begins. */
static void
set_message(struct writer *writer, const struct message *message)
{
	const struct session_form *form = writer->form;
	bool has_calls = message->role == ROLE_ASSISTANT && message_has_calls(message);

	write_uuid(writer->digest, writer->uuid);
	snprintf(writer->order, sizeof writer->order, "%012jx", (uintmax_t)writer->records);
	if (message->role == ROLE_USER)
		memcpy(writer->asked, writer->order, sizeof writer->asked);
	set(writer, SESSION_uuid, writer->uuid);
	set(writer, SESSION_order, writer->order);
	set(writer, SESSION_asked, writer->asked);
	set_time(writer, writer->ms);
	set_names(writer, message);
	set(writer, SESSION_stop, form->stop[!has_calls] != NULL ? form->stop[!has_calls] : "");
	set(writer, SESSION_injected,
	    message_origin(message) == ORIGIN_INJECTED ? "true" : "false");
}

/* Whether the agent takes the text for a command of its own, and does not send it. */
static bool
is_command(const struct writer *writer, struct json_value content)
{
	struct json_walk walk;
	struct str text;

	json_walk_open(&walk, content);
	if (content.type == JSON_ARRAY && json_walk_next(&walk))
		content = json_find(walk.value, STR("text"));
	if (content.type != JSON_STRING || writer->form->commands == NULL)
		return false;
	text = str_trim(json_inner(content));
	return text.len > 0 && strchr(writer->form->commands, text.ptr[0]) != NULL;
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
	if (role == ROLE_ASSISTANT)
		session_parts_add_text(parts, message->refusal);
	if (role == ROLE_USER && is_command(writer, message->content))
		tally_add(writer->base.dropped, STR("text that is a command"));
	add_calls(writer, message);
	writer->held_ms = writer->ms;
	writer->is_held = writer->calls.len > 0 && writer->form->result == NULL;
	if (!writer->is_held && !put_lists(writer) && writer->records == records)
		text_part_drop_message(message, counted, writer->base.dropped);
}

/* Whether the result says by itself that it is an error, where the form has no flag for that. */
static bool
says_failure(const struct writer *writer)
{
	struct buf text = BUF_INIT;
	bool says;

	if (writer->form->says_failure == NULL)
		return true;
	buf_set(&text, writer->parts.value[SESSION_output]);
	buf_pad(&text);
	says = writer->form->says_failure(json_value_at(text.ptr));
	buf_free(&text);
	return says;
}

/* The call of the last message that the result answers, or NULL. */
static const struct call *
find_call(struct writer *writer, struct json_value id)
{
	const struct call *call = (const struct call *)writer->calls.ptr;
	size_t count = writer->calls.len / sizeof *call;

	buf_reset(&writer->id);
	if (!call_ids_result(&writer->ids, id, &writer->id))
		return NULL;
	for (size_t i = writer->next; i < count; i++)
		if (str_eq(str_of(writer->input.ptr + call[i].at, call[i].id),
			buf_str(&writer->id)))
			return &call[i];
	return NULL;
}

static void
write_result(struct writer *writer, const struct message *message, const struct call *call)
{
	struct session_parts *parts = &writer->parts;
	bool is_failed = message_is(message, METADATA_IS_ERROR);
	enum session_part part = is_failed && writer->form->part[SESSION_FAILED].form != NULL ?
	    SESSION_FAILED :
	    SESSION_CALL;

	add_open(writer, (size_t)(call - (const struct call *)writer->calls.ptr));
	writer->next++;
	session_parts_begin(parts, ROLE_TOOL);
	parts->no_files = strstr(writer->form->part[part].form, "files>") == NULL;
	session_parts_add_content(parts, text_part_join(message, &writer->content));
	session_parts_set_output(parts);
	buf_reset(&writer->text);
	set(writer, SESSION_failed, is_failed ? "true" : "false");
	if (is_failed && !says_failure(writer))
		tally_add(writer->base.dropped, STR("is_error"));
	if (writer->form->result == NULL) {
		set_time(writer, writer->ms);
		set_call(writer, call);
		session_parts_add(parts, part);
		return;
	}
	set_message(writer, message);
	set_call(writer, call);
	put_record(writer, writer->form->result);
}

/* Begins the file. Returns whether the message, a system message, is in its head. */
static bool
begin(struct writer *writer, const struct message *message)
{
	const struct session_form *form = writer->form;
	struct session_parts *parts = &writer->parts;
	bool is_head = form->has_instructions && message->role == ROLE_SYSTEM;

	writer->is_begun = true;
	if (++*writer->base.begun > 1) {
		fault_set(writer->base.stage.fault, STATUS_DATA,
		    "several sessions, and a file of %s has one: pick it with --session-key "
		    "metadata.session_id and ctx-select session=ID",
		    form->name);
		return true;
	}
	write_uuid(writer->digest, writer->session);
	set_time(writer, writer->ms);
	memcpy(writer->began, writer->number, sizeof writer->began);
	set(writer, SESSION_began, writer->began);
	set(writer, SESSION_day, writer->day);
	set(writer, SESSION_clock, writer->clock);
	parts->dropped = writer->base.dropped;
	if (form->tail == NULL)
		set(writer, SESSION_session, writer->session);
	else
		parts->value[SESSION_session] = unknown_id;
	session_form_name(form->file, parts->value, &writer->base.file);
	session_parts_begin(parts, ROLE_SYSTEM);
	if (is_head) {
		session_parts_add_content(parts, message->content);
		session_parts_set_output(parts);
		parts->value[SESSION_instructions] = parts->value[SESSION_flat];
	}
	if (form->tail == NULL && form->head != NULL)
		put_record(writer, form->head);
	parts->value[SESSION_parent] = STR("null");
	writer->records = 0;
	return is_head;
}

/* Takes a message of the session. */
static void
take_message(struct writer *writer, const struct message *message)
{
	int64_t ms = timestamp_read(message->meta[METADATA_TIMESTAMP]);
	const struct call *call = NULL;
	enum role role = message->role == ROLE_DEVELOPER ? ROLE_SYSTEM : message->role;

	digest_text(writer, json_span(message->value));
	if (ms >= 0 && (ms > writer->ms || !writer->form->is_sorted))
		writer->ms = ms;
	if (!writer->is_begun && begin(writer, message))
		return;
	if (role == ROLE_TOOL)
		call = find_call(writer, message->tool_call_id);
	if (call != NULL) {
		write_result(writer, message, call);
		return;
	}
	flush(writer);
	if (role == ROLE_SYSTEM && writer->form->system == NULL)
		tally_add(writer->base.dropped, STR("system"));
	else
		write_message(writer, message, role == ROLE_TOOL ? ROLE_USER : role);
}

static void
take(struct stage *stage, struct record *record)
{
	struct writer *writer = (struct writer *)stage;
	struct message read;
	const struct message *message = dialect_message(stage, record, &read);

	if (record->kind == RECORD_CONTEXT)
		tally_add(writer->base.dropped, STR("context"));
	if (message == NULL)
		return;
	writer->line = (struct line){.file = record->line.file, .number = record->line.number};
	take_message(writer, message);
}

/* Appends the text, in which the id of the session is known now. */
static void
add_known(struct writer *writer, struct str text)
{
	const char *at;

	while ((at = text.len > 0 ? memchr(text.ptr, unknown_id.ptr[0], text.len) : NULL) != NULL) {
		buf_add(&writer->text, text.ptr, (size_t)(at - text.ptr));
		buf_add_str(&writer->text, str_from(writer->session));
		text = str_rest(text, (size_t)(at + 1 - text.ptr));
	}
	buf_add_str(&writer->text, text);
}

static void
end(struct stage *stage)
{
	struct writer *writer = (struct writer *)stage;
	struct buf *around = &writer->content;

	flush(writer);
	if (!writer->is_begun || writer->form->tail == NULL || fault_is_set(stage->fault))
		return;
	write_uuid(writer->digest, writer->session);
	buf_reset(around);
	buf_reset(&writer->text);
	session_form_write(writer->form->head, writer->parts.value, around);
	add_known(writer, buf_str(around));
	add_known(writer, buf_str(&writer->document));
	buf_reset(around);
	session_form_write(writer->form->tail, writer->parts.value, around);
	add_known(writer, buf_str(around));
	dialect_emit(stage, &writer->line, &writer->text);
}

static void
free_writer(struct dialect_stage *base)
{
	struct writer *writer = (struct writer *)base;

	session_parts_free(&writer->parts);
	call_ids_free(&writer->ids);
	buf_free(&base->file);
	buf_free(&writer->calls);
	buf_free(&writer->input);
	buf_free(&writer->model);
	buf_free(&writer->provider);
	buf_free(&writer->api);
	buf_free(&writer->text);
	buf_free(&writer->document);
	buf_free(&writer->content);
	buf_free(&writer->id);
	buf_free(&writer->alone);
	buf_free(&writer->scratch);
	free(writer);
}

struct dialect_stage *
session_file_writer(const struct session_form *form)
{
	struct writer *writer = mem_alloc(1, sizeof *writer);

	*writer = (struct writer){.base = {.stage = {.take = take, .end = end}, .free = free_writer},
	    .form = form,
	    .parts = {.form = form, .put_alone = put_alone},
	    /* Claude Code loses the result of a call c_2 behind one of the id c. */
	    .ids = {.rule = CALL_IDS_ANTHROPIC, .mark = '-'}};
	return &writer->base;
}
