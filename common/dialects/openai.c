/*
 * Chat messages of the OpenAI API.
 *
 * Reading: the messages are canonical already, except for function_call and the role function. The
 * API renamed both, and they become tool_calls and the role tool.
 *
 * Writing: metadata, thinking and other members that only ctx or another API knows are left out.
 * The API requires content, ids and arguments that are strings, and takes no empty list; messages
 * are changed accordingly. A message that needs no change is left as it is.
 */

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/chat.h"
#include "dialects/media.h"
#include "dialects/text_part.h"
#include "json/text.h"
#include "json/write.h"
#include "policy/normalize/mend.h"

static enum dialect_sign
sign(struct json_value record)
{
	if (json_find(record, STR("role")).type == JSON_STRING)
		return DIALECT_SIGN_WEAK;
	return chat_has_messages(record, NULL) ? DIALECT_SIGN_WEAK : DIALECT_SIGN_NONE;
}

/* Rewrites {"function_call":F} as {"tool_calls":[{"id":…,"type":"function","function":F}]}. An
 * existing member tool_calls, which holds no call, is removed. */
static void
read_function_call(struct chat *chat, const struct line *line, const struct message *message)
{
	struct buf *calls = &chat->scratch;
	struct json_edit edit;
	struct json_walk walk;
	bool found = false;

	json_edit_init(&edit, json_span(message->value));
	json_walk_open(&walk, message->value);
	while (json_walk_next(&walk)) {
		if (json_is(walk.name, STR("tool_calls")))
			json_edit_remove(&edit, walk.name, walk.value);
		if (found || !json_is(walk.name, STR("function_call")))
			continue;
		found = true;
		buf_reset(calls);
		buf_add_fmt(calls,
		    "\"tool_calls\":[{\"id\":\"function_call_%u\","
		    "\"type\":\"function\",\"function\":",
		    ++chat->calls);
		buf_add_str(calls, json_span(walk.value));
		buf_add_str(calls, STR("}]"));
		json_edit_replace(&edit,
		    str_of(
			walk.name.ptr, (size_t)(walk.value.ptr + walk.value.len - walk.name.ptr)),
		    buf_str(calls));
	}
	buf_reset(&chat->text);
	json_edit_write(&edit, &chat->text);
	json_edit_free(&edit);
	chat_put(chat, line);
}

/* A message of the role function becomes the result of the function_call before it. */
static void
read_function_result(struct chat *chat, const struct line *line, const struct message *message)
{
	struct buf *role = &chat->scratch;
	struct json_edit edit;

	buf_reset(role);
	buf_add_fmt(role, "\"tool\",\"tool_call_id\":\"function_call_%u\"", chat->calls);
	json_edit_init(&edit, json_span(message->value));
	json_edit_replace(&edit, json_span(message->role_value), buf_str(role));
	buf_reset(&chat->text);
	json_edit_write(&edit, &chat->text);
	json_edit_free(&edit);
	chat_put(chat, line);
}

static bool
is_function_call(const struct message *message)
{
	struct json_value calls = message->tool_calls;

	/* The common case first, without a walk over the calls. */
	if (message->role != ROLE_ASSISTANT || (calls.type == JSON_ARRAY && calls.ptr[1] == '{') ||
	    json_find(message->value, STR("function_call")).type != JSON_OBJECT)
		return false;
	return calls.type == JSON_ABSENT || !message_has_calls(message);
}

static bool
is_function_result(const struct chat *chat, const struct message *message)
{
	return chat->calls > 0 && message->role == ROLE_OTHER &&
	    json_is(message->role_value, STR("function")) &&
	    message->tool_call_id.type == JSON_ABSENT;
}

static bool
read_message(struct chat *chat, const struct line *line, const struct message *message)
{
	if (is_function_result(chat, message))
		read_function_result(chat, line, message);
	else if (is_function_call(message))
		read_function_call(chat, line, message);
	else
		return false;
	return true;
}

static struct dialect_stage *
reader(struct dialect_reading *reading)
{
	return chat_reader(reading, &openai_dialect);
}

static bool
has(struct json_value object, struct str name)
{
	return json_find(object, name).type != JSON_ABSENT;
}

/* Whether the part stays as it is. Only a user may send media, only the assistant a refusal. */
static bool
is_plain_part(struct json_value part, enum role role)
{
	static const struct str media[] = {
	    STR_INIT("image_url"), STR_INIT("file"), STR_INIT("input_audio")};
	struct json_value type = json_find(part, STR("type"));

	if (has(part, STR("cache_control")))
		return false;
	if (json_is(type, STR("text")))
		return json_find(part, STR("text")).type == JSON_STRING &&
		    !has(part, STR("citations"));
	if (json_is(type, STR("refusal")))
		return role == ROLE_ASSISTANT;
	for (size_t i = 0; i < sizeof media / sizeof media[0]; i++)
		if (json_is(type, media[i]))
			return role == ROLE_USER;
	return false;
}

/* Whether the content stays as it is: a string, or at least one part, all plain. Only the assistant
 * may have null. */
static bool
is_plain_content(const struct message *message)
{
	struct json_walk walk;
	unsigned count = 0;

	if (message->content.type != JSON_ARRAY)
		return message->content.type == JSON_STRING ||
		    (message->content.type == JSON_NULL && message->role == ROLE_ASSISTANT);
	json_walk_open(&walk, message->content);
	for (; json_walk_next(&walk); count++)
		if (!is_plain_part(walk.value, message->role))
			return false;
	return count > 0;
}

static bool
is_plain_call(struct json_value call)
{
	struct json_value type = json_find(call, STR("type"));
	struct json_value function = json_find(call, STR("function"));

	if (json_find(call, STR("id")).type != JSON_STRING || has(call, STR("caller")) ||
	    has(call, STR("cache_control")))
		return false;
	if (json_is(type, STR("custom")))
		return json_find(call, STR("custom")).type == JSON_OBJECT;
	return json_is(type, STR("function")) &&
	    json_find(function, STR("name")).type == JSON_STRING &&
	    json_find(function, STR("arguments")).type == JSON_STRING;
}

/* Whether tool_calls stays as it is: it is absent, or lists at least one call, all plain. */
static bool
is_plain_calls(const struct message *message)
{
	struct json_walk walk;
	unsigned count = 0;

	if (message->tool_calls.type == JSON_ABSENT)
		return true;
	if (message->role != ROLE_ASSISTANT || message->tool_calls.type != JSON_ARRAY)
		return false;
	json_walk_open(&walk, message->tool_calls);
	for (; json_walk_next(&walk); count++)
		if (!is_plain_call(walk.value))
			return false;
	return count > 0;
}

static bool
is_plain(const struct message *message)
{
	enum json_type id_type = message->role == ROLE_TOOL ? JSON_STRING : JSON_ABSENT;

	return !message->has_metadata && is_plain_content(message) && is_plain_calls(message) &&
	    message->type.type == JSON_ABSENT && message->tool_call_id.type == id_type &&
	    !has(message->value, STR("_metadata")) && !has(message->value, STR("cache_control"));
}

struct writer {
	struct dialect_stage base;
	struct buf text; /* the message that is written */
	struct buf part; /* the part of its content that is written */
};

/* Appends a part as the API takes it: as text, or as an image or file of the user. A part that the
 * API does not know becomes a text that names its type. Thinking is left out. */
static void
add_part(struct json_value value, enum role role, struct buf *buf)
{
	struct json_value text;
	struct part part;

	if (is_plain_part(value, role)) {
		buf_add_str(buf, json_span(value));
		return;
	}
	part_read(value, &part);
	switch (part.kind) {
	case PART_TEXT:
	case PART_REFUSAL:
		text = text_part_find(&part);
		if (text.type == JSON_STRING)
			text_part_add(buf, text);
		else
			text_part_add_name(buf, &part);
		break;
	case PART_THINKING:
	case PART_REDACTED:
	case PART_REASONING:
		break;
	default:
		if (role != ROLE_USER || !media_to_openai(value, buf))
			text_part_add_name(buf, &part);
	}
}

/* Writes a string unchanged and any other value as a string of its JSON text. For an absent value,
 * writes fallback. */
static void
put_string(struct json_value value, struct str fallback, struct json_writer *w)
{
	if (value.type == JSON_STRING)
		json_put_raw(w, json_span(value));
	else
		json_put_string(w, value.type == JSON_ABSENT ? fallback : json_span(value));
}

/* Writes an id as a string. Equal numbers become equal strings and a missing id the empty one, so
 * a call and its result stay together. */
static void
put_id(struct json_value id, struct json_writer *w)
{
	if (id.type != JSON_STRING && id.type != JSON_NUMBER)
		id.type = JSON_ABSENT;
	put_string(id, STR(""), w);
}

static void
put_no_content(enum role role, struct json_writer *w)
{
	json_put_raw(w, role == ROLE_ASSISTANT ? STR("null") : STR("\"\""));
}

static void
put_parts(struct writer *writer, const struct message *message, struct json_writer *w)
{
	struct json_walk walk;
	bool found = false;

	json_walk_open(&walk, message->content);
	while (json_walk_next(&walk)) {
		buf_reset(&writer->part);
		add_part(walk.value, message->role, &writer->part);
		if (writer->part.len == 0)
			continue;
		if (!found)
			json_open(w, '[');
		found = true;
		json_put_raw(w, buf_str(&writer->part));
	}
	if (found)
		json_close(w);
	else
		put_no_content(message->role, w);
}

static void
put_content(struct writer *writer, const struct message *message, struct json_writer *w)
{
	json_name(w, STR("content"));
	if (message->content.type == JSON_ARRAY)
		put_parts(writer, message, w);
	else if (message->content.type == JSON_ABSENT || message->content.type == JSON_NULL)
		put_no_content(message->role, w);
	else
		put_string(message->content, STR(""), w);
}

static void
put_call(const struct tool_call *call, struct json_writer *w)
{
	struct json_value custom = json_find(call->value, STR("custom"));

	json_open(w, '{');
	json_name(w, STR("id"));
	put_id(call->id, w);
	if (custom.type == JSON_OBJECT) {
		json_member_string(w, STR("type"), STR("custom"));
		json_member_raw(w, STR("custom"), json_span(custom));
	} else {
		json_member_string(w, STR("type"), STR("function"));
		json_name(w, STR("function"));
		json_open(w, '{');
		json_member_raw(w, STR("name"),
		    call->name.type == JSON_STRING ? json_span(call->name) : STR("\"\""));
		json_name(w, STR("arguments"));
		put_string(call->arguments, STR("{}"), w);
		json_close(w);
	}
	json_close(w);
}

static void
put_calls(const struct message *message, struct json_writer *w)
{
	struct call_walk walk;
	struct tool_call call;
	unsigned count = 0;

	call_walk_open(&walk, message);
	for (; call_walk_next(&walk, &call); count++) {
		if (count == 0) {
			json_name(w, STR("tool_calls"));
			json_open(w, '[');
		}
		put_call(&call, w);
	}
	if (count > 0)
		json_close(w);
}

/* Whether a member is written elsewhere or is left out because the API does not take it. */
static bool
is_handled(struct json_value name)
{
	static const struct str handled[] = {STR_INIT("role"), STR_INIT("content"),
	    STR_INIT("tool_calls"), STR_INIT("metadata"), STR_INIT("_metadata"), STR_INIT("type"),
	    STR_INIT("tool_call_id"), STR_INIT("cache_control")};

	for (size_t i = 0; i < sizeof handled / sizeof handled[0]; i++)
		if (json_is(name, handled[i]))
			return true;
	return false;
}

/* Writes the message as the API takes it into writer->text. */
static void
write_message(struct writer *writer, const struct message *message)
{
	struct json_writer w;
	struct json_walk walk;

	buf_reset(&writer->text);
	json_writer_init(&w, &writer->text);
	json_open(&w, '{');
	json_member_string(&w, STR("role"), role_name(message->role));
	if (message->role == ROLE_TOOL) {
		json_name(&w, STR("tool_call_id"));
		put_id(message->tool_call_id, &w);
	}
	put_content(writer, message, &w);
	put_calls(message, &w);
	json_walk_open(&walk, message->value);
	while (json_walk_next(&walk))
		if (!is_handled(walk.name)) {
			json_put_raw(&w, json_span(walk.name));
			buf_add_char(&writer->text, ':');
			buf_add_str(&writer->text, json_span(walk.value));
		}
	json_close(&w);
	buf_add_char(&writer->text, '\n');
	buf_pad(&writer->text);
}

/* Whether the written message is empty. Another run would drop it, so this run must, too. */
static bool
is_emptied(const struct message *message, const struct record *made)
{
	struct message written;

	if (message->content.type == JSON_STRING && !json_is_blank(message->content))
		return false;
	message_parse(&written, made->line.text);
	return mend_is_empty(&written);
}

static void
take(struct stage *stage, struct record *record)
{
	struct writer *writer = (struct writer *)stage;
	struct record made;
	struct message read;
	const struct message *message;

	if (!dialect_is_message(stage, record))
		return;
	message = record_message(record, &read);
	if (message->role == ROLE_OTHER) {
		record->state = RECORD_ASIDE;
		stage_emit(stage, record);
	} else if (is_plain(message)) {
		stage_emit(stage, record);
	} else {
		write_message(writer, message);
		record_make(&made, &record->line, buf_str(&writer->text));
		if (!is_emptied(message, &made))
			stage_emit(stage, &made);
	}
}

static void
free_writer(struct dialect_stage *base)
{
	struct writer *writer = (struct writer *)base;

	buf_free(&writer->text);
	buf_free(&writer->part);
	free(writer);
}

static struct dialect_stage *
writer(void)
{
	struct writer *writer = mem_alloc(1, sizeof *writer);

	*writer = (struct writer){.base = {{.take = take, .end = stage_pass_end}, free_writer}};
	return &writer->base;
}

const struct dialect openai_dialect = {.name = "openai",
    .sign = sign,
    .reader = reader,
    .read_message = read_message,
    .writer = writer,
    .is_chat = true,
    .only_messages = true};
