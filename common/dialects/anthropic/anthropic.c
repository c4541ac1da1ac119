/*
 * Messages of the Anthropic API; this file reads them. A tool_use block becomes a tool call, and a
 * tool_result block a tool message. Inside a result, such blocks become text. A compaction block,
 * in which the API summarizes everything before it, becomes a summary message.
 */

#include "dialects/anthropic/anthropic_request.h"
#include "dialects/anthropic/anthropic_rules.h"
#include "dialects/anthropic/anthropic_writer.h"
#include "dialects/request/chat.h"
#include "dialects/parts/text_part.h"
#include "json/string.h"
#include "json/write.h"

static bool
is_call(struct json_value block)
{
	return json_has_type(block, STR("tool_use"));
}

static bool
is_result(struct json_value block)
{
	return json_has_type(block, STR("tool_result"));
}

/* Whether the block is a summary of all before it. */
static bool
is_compaction(struct json_value block)
{
	return json_has_type(block, STR("compaction")) &&
	    json_find(block, STR("content")).type == JSON_STRING;
}

static bool
has_block(struct json_value content, bool (*is_one)(struct json_value block))
{
	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk);)
		if (is_one(walk.value))
			return true;
	return false;
}

/* Whether only this API has blocks of this type. */
static bool
is_own_block(struct json_value block)
{
	return is_call(block) || is_result(block) || is_compaction(block);
}

static bool
has_own_blocks(struct json_value message)
{
	return has_block(json_find(message, STR("content")), is_own_block);
}

/* Whether the message is an answer as the API sent it. Signed thinking alone is no sign: canonical
 * messages keep it. */
static bool
is_answer(struct json_value message)
{
	return json_has_type(message, STR("message")) && json_has(message, STR("stop_reason"));
}

static enum dialect_sign
sign(struct json_value record)
{
	bool is_own;

	if (json_find(record, STR("role")).type == JSON_STRING)
		is_own = has_own_blocks(record) || is_answer(record);
	else if (json_find(record, STR("messages")).type == JSON_ARRAY &&
	    json_has(record, STR("system")))
		is_own = true;
	else
		is_own = chat_has_messages(record, has_own_blocks);
	return is_own ? DIALECT_SIGN_CERTAIN : DIALECT_SIGN_NONE;
}

/* An answer of the Messages API has id, model and usage beside the content. */
static bool
is_response(const struct message *message)
{
	return json_is(message->type, STR("message")) && message->role == ROLE_ASSISTANT;
}

static void
begin_draft(struct chat *chat, const struct message *message, struct str role)
{
	chat_begin_draft(chat, role);
	if (is_response(message)) {
		draft_meta_value(chat->draft, STR("id"), json_find(message->value, STR("id")));
		draft_meta_value(
		    chat->draft, STR("model"), json_find(message->value, STR("model")));
		draft_set_usage(chat->draft, json_find(message->value, STR("usage")));
	}
	for (struct json_walk walk = json_walk_of(message->metadata); json_walk_next(&walk);)
		draft_claim(chat->draft, json_inner(walk.name), json_span(walk.value));
}

static void
read_assistant(struct chat *chat, const struct line *line, const struct message *message)
{
	struct tool_call call;

	for (struct json_walk walk = json_walk_list(message->content); json_walk_next(&walk);) {
		if (!is_compaction(walk.value))
			continue;
		chat_begin_draft(chat, STR("user"));
		draft_add_content(chat->draft, json_find(walk.value, STR("content")));
		draft_set_summary(chat->draft);
		chat_put_draft(chat, line);
	}
	begin_draft(chat, message, STR("assistant"));
	draft_add_rest(chat->draft, message->content, is_compaction);
	for (struct call_walk walk = call_walk_of(message); call_walk_next(&walk, &call);)
		draft_add_call(chat->draft, call.value);
	chat_put_draft(chat, line);
}

/* Appends a part of a result, with a comma after it: an inner result as its parts; a call, or a
 * result without content, as a text of its JSON. */
static void
add_flat(struct buf *to, struct json_value part)
{
	struct json_value content = part;

	if (is_result(part))
		content = json_find(part, STR("content"));
	if (content.type == JSON_ARRAY) {
		for (struct json_walk walk = json_walk_of(content); json_walk_next(&walk);)
			add_flat(to, walk.value);
		return;
	}
	if (content.type == JSON_STRING) {
		text_part_add(to, content);
	} else if (is_call(part) || is_result(part)) {
		buf_add_str(to, STR("{\"type\":\"text\",\"text\":"));
		json_write_string(to, json_span(part));
		buf_add_char(to, '}');
	} else {
		buf_add_str(to, json_span(part));
	}
	buf_add_char(to, ',');
}

/* A tool message with blocks of tools inside. Its other members stay. */
static void
read_tool(struct chat *chat, const struct line *line, const struct message *message)
{
	struct buf *content = &chat->scratch;
	struct json_edit edit;

	buf_reset(content);
	buf_add_char(content, '[');
	add_flat(content, message->content);
	content->len -= content->ptr[content->len - 1] == ',';
	buf_add_char(content, ']');
	json_edit_init(&edit, json_span(message->value));
	json_edit_replace(&edit, json_span(message->content), buf_str(content));
	buf_reset(&chat->text);
	json_edit_end(&edit, &chat->text);
	chat_put(chat, line);
}

/* Emits the results of a user message first, then its other blocks. */
static void
read_results(struct chat *chat, const struct line *line, const struct message *message)
{
	for (struct json_walk walk = json_walk_of(message->content); json_walk_next(&walk);) {
		if (!is_result(walk.value))
			continue;
		begin_draft(chat, message, STR("tool"));
		draft_set_result(chat->draft, walk.value);
		chat_write_draft(chat);
		if (has_own_blocks(walk.value))
			chat_read_on(chat, line);
		else
			chat_put(chat, line);
	}
	begin_draft(chat, message, STR("user"));
	draft_add_rest(chat->draft, message->content, is_result);
	chat_put_draft(chat, line);
}

static bool
read_message(struct chat *chat, const struct line *line, const struct message *message)
{
	if (message->role == ROLE_ASSISTANT &&
	    (is_response(message) || has_block(message->content, is_call) ||
		has_block(message->content, is_compaction)))
		read_assistant(chat, line, message);
	else if (message->role == ROLE_USER && has_block(message->content, is_result))
		read_results(chat, line, message);
	else if (message->role == ROLE_TOOL && has_block(message->content, is_own_block))
		read_tool(chat, line, message);
	else
		return false;
	return true;
}

const struct dialect anthropic_dialect = {.name = "anthropic",
    .sign = sign,
    .read_message = read_message,
    .writer = anthropic_writer,
    .is_chat = true,
    .only_messages = true,
    .judge = anthropic_rules_judge,
    .alternates = true,
    .request = &anthropic_request_api,
    .lifts_systems = true};
