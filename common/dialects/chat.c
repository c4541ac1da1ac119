#include "dialects/chat.h"

#include "json/edit.h"
#include "json/text.h"

void
chat_init(struct chat *chat, struct sink sink, bool any_shape)
{
	*chat = (struct chat){.sink = sink, .any_shape = any_shape, .draft = DRAFT_INIT};
}

void
chat_free(struct chat *chat)
{
	draft_free(&chat->draft);
	buf_free(&chat->text);
	buf_free(&chat->scratch);
}

/* Puts chat->text as a record. */
static void
put(struct chat *chat, const struct line *from)
{
	struct line line = *from;

	buf_pad(&chat->text);
	line.raw = line.text = buf_str(&chat->text);
	chat->sink.put(chat->sink.context, &line, false);
}

static void
put_draft(struct chat *chat, const struct line *from)
{
	if (draft_is_empty(&chat->draft))
		return;
	buf_reset(&chat->text);
	draft_write(&chat->draft, &chat->text);
	put(chat, from);
}

static bool
is_block(struct json_value block, struct str type)
{
	return block.type == JSON_OBJECT && json_is(json_find(block, STR("type")), type);
}

static bool
has_block(struct json_value content, struct str type)
{
	struct json_walk walk;

	json_walk_open(&walk, content);
	while (content.type == JSON_ARRAY && json_walk_next(&walk))
		if (is_block(walk.value, type))
			return true;
	return false;
}

/* What the Messages API answers has its id, model and usage beside the content. */
static bool
is_response(const struct message *message)
{
	return json_is(message->type, STR("message")) && message->role == ROLE_ASSISTANT;
}

static void
begin_draft(struct chat *chat, const struct message *message, struct str role)
{
	struct json_walk walk;

	draft_reset(&chat->draft, role);
	if (is_response(message)) {
		draft_meta_value(&chat->draft, STR("id"), json_find(message->value, STR("id")));
		draft_meta_value(&chat->draft, STR("model"), json_find(message->value, STR("model")));
		draft_set_usage(&chat->draft, json_find(message->value, STR("usage")));
	}
	json_walk_open(&walk, message->metadata);
	while (message->metadata.type == JSON_OBJECT && json_walk_next(&walk))
		draft_meta(&chat->draft, json_inner(walk.name), json_span(walk.value));
}

static void
read_assistant(struct chat *chat, const struct line *line, const struct message *message)
{
	begin_draft(chat, message, STR("assistant"));
	draft_add_content(&chat->draft, message->content);
	put_draft(chat, line);
}

/* The results of a user message, then what else it says. */
static void
read_results(struct chat *chat, const struct line *line, const struct message *message)
{
	struct json_walk walk;

	json_walk_open(&walk, message->content);
	while (json_walk_next(&walk)) {
		if (!is_block(walk.value, STR("tool_result")))
			continue;
		begin_draft(chat, message, STR("tool"));
		draft_set_result(&chat->draft, walk.value);
		put_draft(chat, line);
	}
	begin_draft(chat, message, STR("user"));
	json_walk_open(&walk, message->content);
	while (json_walk_next(&walk))
		if (!is_block(walk.value, STR("tool_result")))
			draft_add_block(&chat->draft, walk.value);
	put_draft(chat, line);
}

/* {"function_call":F} as {"tool_calls":[{"id":…,"type":"function","function":F}]}. */
static void
read_function_call(struct chat *chat, const struct line *line, const struct message *message)
{
	struct buf *calls = &chat->scratch;
	struct json_edit edit;
	struct json_walk walk;

	buf_reset(calls);
	buf_add_fmt(calls, "\"tool_calls\":[{\"id\":\"function_call_%u\",\"type\":\"function\","
	    "\"function\":", ++chat->calls);
	json_walk_open(&walk, message->value);
	while (json_walk_next(&walk) && !json_is(walk.name, STR("function_call")))
		continue;
	buf_add_str(calls, json_span(walk.value));
	buf_add_str(calls, STR("}]"));
	json_edit_init(&edit, json_span(message->value));
	json_edit_replace(&edit, str_of(walk.name.ptr,
	    (size_t)(walk.value.ptr + walk.value.len - walk.name.ptr)), buf_str(calls));
	buf_reset(&chat->text);
	json_edit_write(&edit, &chat->text);
	json_edit_free(&edit);
	put(chat, line);
}

/* A message of the role function answers the function_call before it. */
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
	put(chat, line);
}

static bool
is_function_call(const struct message *message)
{
	return message->role == ROLE_ASSISTANT && message->tool_calls.type == JSON_ABSENT &&
	    json_find(message->value, STR("function_call")).type == JSON_OBJECT;
}

static bool
is_function_result(const struct chat *chat, const struct message *message)
{
	return chat->calls > 0 && message->role == ROLE_OTHER &&
	    json_is(message->role_value, STR("function")) &&
	    message->tool_call_id.type == JSON_ABSENT;
}

/* Makes a message canonical; false when it is. */
static bool
read_message(struct chat *chat, const struct line *line, const struct message *message)
{
	if (message->role == ROLE_ASSISTANT &&
	    (is_response(message) || has_block(message->content, STR("tool_use"))))
		read_assistant(chat, line, message);
	else if (message->role == ROLE_USER && has_block(message->content, STR("tool_result")))
		read_results(chat, line, message);
	else if (is_function_result(chat, message))
		read_function_result(chat, line, message);
	else if (is_function_call(message))
		read_function_call(chat, line, message);
	else
		return false;
	return true;
}

/* An element of a request's messages, as a record of its own. */
static void
read_element(struct chat *chat, const struct line *line, struct json_value element)
{
	struct message message;
	struct buf copy = BUF_INIT;

	buf_add_str(&copy, json_span(element));
	buf_pad(&copy);
	message_parse(&message, buf_str(&copy));
	if (message.kind != RECORD_MESSAGE || !read_message(chat, line, &message)) {
		buf_reset(&chat->text);
		buf_add_str(&chat->text, buf_str(&copy));
		put(chat, line);
	}
	buf_free(&copy);
}

static void
read_elements(struct chat *chat, const struct line *line, struct json_value array)
{
	struct json_walk walk;

	json_walk_open(&walk, array);
	while (json_walk_next(&walk))
		read_element(chat, line, walk.value);
}

/* The top-level system prompt becomes the first message. */
static void
read_system(struct chat *chat, const struct line *line, struct json_value system)
{
	if (system.type != JSON_STRING && system.type != JSON_ARRAY)
		return;
	buf_reset(&chat->text);
	buf_add_str(&chat->text, STR("{\"role\":\"system\",\"content\":"));
	buf_add_str(&chat->text, json_span(system));
	buf_add_char(&chat->text, '}');
	put(chat, line);
}

/* Whether all elements are messages, and there is one. */
static bool
is_message_array(struct json_value array)
{
	struct json_walk walk;
	unsigned count = 0;

	if (array.type != JSON_ARRAY)
		return false;
	json_walk_open(&walk, array);
	for (; json_walk_next(&walk); count++)
		if (json_find(walk.value, STR("role")).type != JSON_STRING)
			return false;
	return count > 0;
}

bool
chat_read(struct chat *chat, const struct line *line, const struct message *message)
{
	struct json_value messages;

	if (!chat->any_shape)
		return false;
	if (message->kind == RECORD_MESSAGE)
		return read_message(chat, line, message);
	if (message->kind != RECORD_FOREIGN)
		return false;
	if (is_message_array(message->value)) {
		read_elements(chat, line, message->value);
		return true;
	}
	messages = json_find(message->value, STR("messages"));
	if (messages.type != JSON_ARRAY)
		return false;
	read_system(chat, line, json_find(message->value, STR("system")));
	read_elements(chat, line, messages);
	return true;
}
