/*
 * Chat messages of the OpenAI API.
 *
 * Reading: the messages are canonical already, except for function_call and the role function. The
 * API renamed both, and they become tool_calls and the role tool.
 *
 * Writing: a message of which the API refuses nothing (openai_rules.h) is left as it is. Any other
 * is written anew, without members that the API does not know: metadata, thinking, members of other
 * APIs. If the ids of its calls change, its results get the new ones.
 */

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/parts/call_ids.h"
#include "dialects/request/chat.h"
#include "dialects/parts/name.h"
#include "dialects/openai/openai_answer.h"
#include "dialects/openai/openai_part.h"
#include "dialects/openai/openai_request.h"
#include "dialects/openai/openai_rules.h"
#include "dialects/parts/text_part.h"
#include "json/string.h"
#include "json/write.h"
#include "policy/normalize/mend.h"

static enum dialect_sign
sign(struct json_value record)
{
	if (json_find(record, STR("role")).type == JSON_STRING)
		return DIALECT_SIGN_WEAK;
	/* The dialect responses reads more of its own answers. */
	if (openai_answer_is(record))
		return json_has(record, STR("choices")) ? DIALECT_SIGN_CLEAR : DIALECT_SIGN_WEAK;
	return chat_has_messages(record, NULL) ? DIALECT_SIGN_WEAK : DIALECT_SIGN_NONE;
}

/* Rewrites {"function_call":F} as {"tool_calls":[{"id":…,"type":"function","function":F}]}. An
 * existing member tool_calls, which holds no call, is removed. */
static void
read_function_call(struct chat *chat, const struct line *line, const struct message *message)
{
	struct buf *calls = &chat->scratch;
	struct json_edit edit;
	bool found = false;

	json_edit_init(&edit, json_span(message->value));
	for (struct json_walk walk = json_walk_of(message->value); json_walk_next(&walk);) {
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
	chat_read_edit(chat, line, &edit);
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
	chat_read_edit(chat, line, &edit);
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
read_message(struct chat *chat, const struct line *line, const struct message *message)
{
	if (chat->calls > 0 && message->role == ROLE_OTHER &&
	    json_is(message->role_value, STR("function")) &&
	    message->tool_call_id.type == JSON_ABSENT)
		read_function_result(chat, line, message);
	else if (is_function_call(message))
		read_function_call(chat, line, message);
	else
		return false;
	return true;
}

struct writer {
	struct dialect_stage base;
	struct call_ids ids; /* of the calls of the last message that was written anew */
	bool has_ids;        /* that message has calls, and none without came after it */
	struct buf text;     /* the message that is written */
	struct buf part;     /* the part of its content that is written */
	struct buf content;  /* its content, when that is put together */
	struct buf id;
};

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

static void
put_content(struct writer *writer, const struct message *message, struct json_writer *w)
{
	struct json_value content = text_part_join(message, &writer->content);

	buf_reset(&writer->part);
	json_name(w, STR("content"));
	if (content.type == JSON_ARRAY &&
	    openai_part_write_all(content, message->role, &writer->part, writer->base.dropped))
		json_put_raw(w, buf_str(&writer->part));
	else if (content.type == JSON_ARRAY || content.type <= JSON_NULL)
		json_put_raw(w, message->role == ROLE_ASSISTANT ? STR("null") : STR("\"\""));
	else
		put_string(content, STR(""), w);
}

static void
put_call(struct writer *writer, const struct tool_call *call, struct json_writer *w)
{
	bool is_custom = json_find(call->value, STR("custom")).type == JSON_OBJECT;
	struct str type = is_custom ? STR("custom") : STR("function");

	buf_reset(&writer->id);
	buf_add_char(&writer->id, '"');
	call_ids_call(&writer->ids, call->id, &writer->id);
	buf_add_char(&writer->id, '"');
	json_open(w, '{');
	json_member_raw(w, STR("id"), buf_str(&writer->id));
	json_member_string(w, STR("type"), type);
	json_member_open(w, type, '{');
	name_put(w, call->name, OPENAI_NAME_MAX);
	json_name(w, is_custom ? STR("input") : STR("arguments"));
	put_string(call->arguments, is_custom ? STR("") : STR("{}"), w);
	json_close(w);
	json_close(w);
}

static void
put_calls(struct writer *writer, const struct message *message, struct json_writer *w)
{
	struct tool_call call;

	if (message->role != ROLE_ASSISTANT || !message_has_calls(message))
		return;
	writer->has_ids = true;
	call_ids_begin(&writer->ids);
	json_member_open(w, STR("tool_calls"), '[');
	for (struct call_walk walk = call_walk_of(message); call_walk_next(&walk, &call);)
		put_call(writer, &call, w);
	json_close(w);
}

/* Makes writer->id the id of the call that the result answers, which is its own where the calls
 * were left as they are. */
static void
find_id(struct writer *writer, struct json_value id)
{
	buf_reset(&writer->id);
	if (!writer->has_ids && openai_rules_takes_id(id)) {
		buf_add_str(&writer->id, json_span(id));
		return;
	}
	buf_add_char(&writer->id, '"');
	if (!writer->has_ids || !call_ids_result(&writer->ids, id, &writer->id)) {
		call_ids_begin(&writer->ids);
		call_ids_call(&writer->ids, id, &writer->id);
	}
	buf_add_char(&writer->id, '"');
}

/* Puts the name of the speaker, and the assistant's members beside the content. */
static void
put_others(const struct message *message, struct json_writer *w)
{
	struct json_value audio = json_find(message->value, STR("audio"));

	if (message->role != ROLE_TOOL && message->name.type == JSON_STRING &&
	    message->name.len > 2) {
		if (openai_rules_takes_name(message->name))
			json_member_value(w, STR("name"), message->name);
		else
			name_put(w, message->name, OPENAI_NAME_MAX);
	}
	if (message->role == ROLE_ASSISTANT && message->refusal.type == JSON_STRING)
		json_member_value(w, STR("refusal"), message->refusal);
	if (message->role == ROLE_ASSISTANT && audio.type == JSON_OBJECT)
		json_member_value(w, STR("audio"), audio);
}

/* Writes the message as the API takes it into writer->text. */
static void
write_message(struct writer *writer, const struct message *message)
{
	struct json_writer w;

	buf_reset(&writer->text);
	json_begin(&w, &writer->text, '{');
	json_member_string(&w, STR("role"), role_name(message->role));
	if (message->role == ROLE_TOOL)
		json_member_raw(&w, STR("tool_call_id"), buf_str(&writer->id));
	if (message->reasoning.type == JSON_STRING && !json_is_blank(message->reasoning))
		tally_add(writer->base.dropped, STR("reasoning_content"));
	put_content(writer, message, &w);
	put_calls(writer, message, &w);
	put_others(message, &w);
	json_close(&w);
	buf_add_char(&writer->text, '\n');
	buf_pad(&writer->text);
}

/* Whether the API takes the message as it is, after those already written. */
static bool
is_plain(struct writer *writer, const struct message *message)
{
	struct refusals refusals;

	if (message->role != ROLE_TOOL)
		writer->has_ids = false;
	else
		find_id(writer, message->tool_call_id);
	refusals.found = 0;
	openai_rules_judge(message, &refusals);
	return refusals.found == 0 &&
	    (message->role != ROLE_TOOL ||
		str_eq(buf_str(&writer->id), json_span(message->tool_call_id)));
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
	uint64_t counted = writer->base.dropped->sum;
	struct record made;
	struct message read;
	const struct message *message = dialect_message(stage, record, &read);

	if (message == NULL)
		return;
	if (is_plain(writer, message)) {
		stage_emit(stage, record);
	} else {
		write_message(writer, message);
		record_respell(&made, &record->line, buf_str(&writer->text), NULL);
		if (is_emptied(message, &made))
			text_part_drop_message(message, counted, writer->base.dropped);
		else
			stage_emit(stage, &made);
	}
}

static void
free_writer(struct dialect_stage *base)
{
	struct writer *writer = (struct writer *)base;

	call_ids_free(&writer->ids);
	buf_free(&writer->text);
	buf_free(&writer->part);
	buf_free(&writer->content);
	buf_free(&writer->id);
	free(writer);
}

static struct dialect_stage *
writer(void)
{
	struct writer *writer = mem_alloc(1, sizeof *writer);

	*writer = (struct writer){
	    .base = {.stage = {.take = take, .end = stage_pass_end}, .free = free_writer},
	    .ids = {.rule = CALL_IDS_OPENAI, .max = OPENAI_ID_MAX}};
	return &writer->base;
}

const struct dialect openai_dialect = {.name = "openai",
    .sign = sign,
    .read_message = read_message,
    .read_record = openai_answer_read,
    .writer = writer,
    .is_chat = true,
    .only_messages = true,
    .judge = openai_rules_judge,
    .request = &openai_request_api};
