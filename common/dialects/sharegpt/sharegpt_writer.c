#include "dialects/sharegpt/sharegpt_writer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/message/part.h"
#include "data/message/texts.h"
#include "dialects/parts/call_input.h"
#include "dialects/parts/name.h"
#include "dialects/parts/text_part.h"
#include "json/string.h"
#include "json/write.h"

struct writer {
	struct dialect_stage base;
	struct buf turns;   /* with commas between */
	struct buf context; /* the last context record, JSON; or empty */
	struct line line;   /* of the last record */
	struct buf first;   /* the text of the first message, if it is a system message */
	struct buf text;    /* of a turn, JSON */
	struct buf calls, arguments, scratch;
	bool has_begun;    /* a message came */
	unsigned numbered; /* calls that got an id */
};

enum { SHAREGPT_NAME_MAX = 64 };

/* Appends the string to a text that grows in the buf, and has no closing quote yet. */
static void
join(struct buf *text, struct json_value string)
{
	if (string.type != JSON_STRING || string.len == 2)
		return;
	buf_add_str(text, text->len > 1 ? STR("\\n") : STR(""));
	buf_add_str(text, json_inner(string));
}

/* Joins the texts of the parts, and counts all other parts. */
static void
join_parts(struct writer *writer, struct json_value content)
{
	for (struct json_walk walk = json_walk_of(content); json_walk_next(&walk);) {
		struct part part;

		part_read(walk.value, &part);
		if (part_is_thinking(&part) || part_is_media(&part) ||
		    text_part_find(&part).type != JSON_STRING)
			text_part_drop(&part, writer->base.dropped);
		else
			join(&writer->text, text_part_find(&part));
	}
}

/* Makes writer->text the text of the message, a JSON string. */
static void
read_text(struct writer *writer, const struct message *message)
{
	struct json_value content = text_part_join(message, &writer->scratch);

	buf_reset(&writer->text);
	buf_add_char(&writer->text, '"');
	if (content.type == JSON_ARRAY)
		join_parts(writer, content);
	else if (content.type == JSON_STRING)
		join(&writer->text, content);
	else if (content.type > JSON_NULL)
		json_write_escaped(&writer->text, json_span(content));
	if (message->role == ROLE_ASSISTANT)
		join(&writer->text, message->refusal);
	buf_add_char(&writer->text, '"');
	if (message->reasoning.type == JSON_STRING && !json_is_blank(message->reasoning))
		tally_add(writer->base.dropped, STR("reasoning_content"));
}

static void
put_turn(struct writer *writer, struct str from, struct str value)
{
	struct json_writer w;

	buf_add_str(&writer->turns, writer->turns.len > 0 ? STR(",") : STR(""));
	json_begin(&w, &writer->turns, '{');
	json_member_string(&w, STR("from"), from);
	json_member_raw(&w, STR("value"), value);
	json_close(&w);
}

/* Whether the text, a JSON string, is thinking in the tags that may precede calls. */
static bool
is_thought(struct str text)
{
	struct str inner = str_of(text.ptr + 1, text.len - 2);

	while (str_has_suffix(inner, STR("\\n")))
		inner.len -= 2;
	return str_has_prefix(inner, STR("<think>")) && str_has_suffix(inner, STR("</think>"));
}

/* Puts the id and the name of the call. A call without an id gets the one that the reader would
 * make. */
static void
put_names(struct writer *writer, const struct tool_call *call, struct json_writer *w)
{
	buf_reset(&writer->scratch);
	if (call->id.type == JSON_STRING && call->id.len > 2)
		buf_add_str(&writer->scratch, json_span(call->id));
	else
		buf_add_fmt(&writer->scratch, "\"call_%u\"", ++writer->numbered);
	json_member_raw(w, STR("id"), buf_str(&writer->scratch));
	if (call->name.type == JSON_STRING && call->name.len > 2)
		json_member_value(w, STR("name"), call->name);
	else
		name_put(w, call->name, SHAREGPT_NAME_MAX);
}

/* Puts one call as an object, and several as a list, after the thinking in writer->text, which may
 * be "". */
static void
put_calls(struct writer *writer, const struct message *message)
{
	struct tool_call call;
	struct json_writer w;
	size_t count = 0;

	buf_reset(&writer->calls);
	json_begin(&w, &writer->calls, '[');
	for (struct call_walk walk = call_walk_of(message); call_walk_next(&walk, &call); count++) {
		buf_reset(&writer->arguments);
		call_input_write(call.arguments, &writer->arguments, &writer->scratch);
		json_open(&w, '{');
		put_names(writer, &call, &w);
		json_member_raw(&w, STR("arguments"), buf_str(&writer->arguments));
		json_close(&w);
	}
	json_close(&w);
	writer->text.len--;
	if (count == 1)
		json_write_escaped(
		    &writer->text, str_of(writer->calls.ptr + 1, writer->calls.len - 2));
	else
		json_write_escaped(&writer->text, buf_str(&writer->calls));
	buf_add_char(&writer->text, '"');
	put_turn(writer, STR("function_call"), buf_str(&writer->text));
}

static void
put_message(struct writer *writer, const struct message *message)
{
	static const struct str speakers[] = {[ROLE_SYSTEM] = STR_INIT("system"),
	    [ROLE_DEVELOPER] = STR_INIT("developer"),
	    [ROLE_USER] = STR_INIT("human"),
	    [ROLE_ASSISTANT] = STR_INIT("gpt"),
	    [ROLE_TOOL] = STR_INIT("observation")};
	bool is_calling = message->role == ROLE_ASSISTANT && message_has_calls(message);
	uint64_t counted = writer->base.dropped->sum;

	if (!writer->has_begun && role_is_system(message->role))
		message_read_text(message, &writer->first);
	writer->has_begun = true;
	read_text(writer, message);
	if (writer->text.len == 2 && message->role != ROLE_TOOL && !is_calling) {
		text_part_drop_message(message, counted, writer->base.dropped);
		return;
	}
	writer->base.joined++;
	/* What is said beside calls is a turn of its own. */
	if (!is_calling || (writer->text.len > 2 && !is_thought(buf_str(&writer->text)))) {
		put_turn(writer, speakers[message->role], buf_str(&writer->text));
		buf_set(&writer->text, STR("\"\""));
	}
	if (is_calling)
		put_calls(writer, message);
}

static void
take(struct stage *stage, struct record *record)
{
	struct writer *writer = (struct writer *)stage;
	struct message read;
	const struct message *message;

	writer->line = (struct line){.file = record->line.file, .number = record->line.number};
	if (record->kind == RECORD_CONTEXT) {
		buf_set(&writer->context, json_span(record_message(record, &read)->value));
		buf_pad(&writer->context);
		return;
	}
	message = dialect_message(stage, record, &read);
	if (message != NULL)
		put_message(writer, message);
}

/* Puts the tools of the context record, and the other members that the line had beside its
 * turns. */
static void
put_context(struct json_value context, struct json_writer *w)
{
	struct json_value kept = json_find(json_find(context, STR("metadata")), STR("request"));
	struct json_value tools = json_find(context, STR("tools"));

	if (tools.type == JSON_ARRAY) {
		json_name(w, STR("tools"));
		json_put_json(w, json_span(tools));
	}
	for (struct json_walk walk = json_walk_members(kept); json_walk_next(&walk);)
		if (!json_is(walk.name, STR("conversations")) &&
		    !json_is(walk.name, STR("messages")))
			json_put_member(w, walk.name, walk.value);
}

static void
end(struct stage *stage)
{
	struct writer *writer = (struct writer *)stage;
	struct json_value context = json_absent, prompt;
	struct json_writer w;

	if (writer->turns.len == 0)
		return;
	if (writer->context.len > 0)
		context = json_value_at(writer->context.ptr);
	prompt = json_find(context, STR("system_prompt"));
	buf_reset(&writer->text);
	json_begin(&w, &writer->text, '{');
	json_member_open(&w, STR("conversations"), '[');
	if (prompt.type == JSON_STRING && prompt.len > 2 &&
	    !json_is(prompt, buf_str(&writer->first))) {
		json_open(&w, '{');
		json_member_string(&w, STR("from"), STR("system"));
		json_member_value(&w, STR("value"), prompt);
		json_close(&w);
	}
	json_put_raw(&w, buf_str(&writer->turns));
	json_close(&w);
	put_context(context, &w);
	json_close(&w);
	dialect_emit(stage, &writer->line, &writer->text);
}

static void
free_writer(struct dialect_stage *base)
{
	struct writer *writer = (struct writer *)base;

	buf_free(&writer->turns);
	buf_free(&writer->context);
	buf_free(&writer->first);
	buf_free(&writer->text);
	buf_free(&writer->calls);
	buf_free(&writer->arguments);
	buf_free(&writer->scratch);
	free(writer);
}

struct dialect_stage *
sharegpt_writer(void)
{
	struct writer *writer = mem_alloc(1, sizeof *writer);

	*writer =
	    (struct writer){.base = {.stage = {.take = take, .end = end}, .free = free_writer}};
	return &writer->base;
}
