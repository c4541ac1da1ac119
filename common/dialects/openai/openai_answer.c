#include "dialects/openai/openai_answer.h"

#include "json/string.h"
#include "json/write.h"

static bool
is_message(struct json_value value)
{
	return json_find(value, STR("role")).type == JSON_STRING;
}

static bool
is_completion(struct json_value record)
{
	return is_message(json_find(json_first(json_find(record, STR("choices"))), STR("message")));
}

static bool
is_response(struct json_value record)
{
	return json_find(record, STR("output")).type == JSON_ARRAY &&
	    (json_is(json_find(record, STR("object")), STR("response")) ||
		is_message(json_first(json_find(record, STR("output")))));
}

bool
openai_answer_is(struct json_value record)
{
	return record.type == JSON_OBJECT && json_find(record, STR("role")).type == JSON_ABSENT &&
	    (is_completion(record) || is_response(record));
}

static void
add_metadata(struct draft *draft, struct json_value record)
{
	draft_meta_value(draft, STR("id"), json_find(record, STR("id")));
	draft_meta_value(draft, STR("model"), json_find(record, STR("model")));
	draft_set_usage(draft, json_find(record, STR("usage")));
}

/* The message stays as it is, and metadata is added to it. */
static void
read_completion(struct chat *chat, const struct line *line, struct json_value record)
{
	struct json_value message =
	    json_find(json_first(json_find(record, STR("choices"))), STR("message"));
	struct buf *metadata = &chat->scratch;
	struct json_edit edit;

	chat_begin_draft(chat, STR("assistant"));
	add_metadata(chat->draft, record);
	buf_reset(metadata);
	draft_write_metadata(chat->draft, metadata);
	json_edit_init(&edit, json_span(message));
	if (metadata->len > 0 && !json_has(message, STR("metadata"))) {
		json_edit_add(&edit, message, STR("metadata"), buf_str(metadata));
		chat->read = json_has(message, STR("_metadata")) ? 0 : RECORD_READ_OWN;
	}
	chat_read_edit(chat, line, &edit);
}

/* A function is called with JSON in a string, a custom tool with a text. */
static void
add_call(struct draft *draft, struct json_value item, struct str kind, struct str member)
{
	struct buf text = BUF_INIT;
	struct json_writer w;

	json_begin(&w, &text, '{');
	json_member_value(&w, STR("id"), json_find(item, STR("call_id")));
	json_member_string(&w, STR("type"), kind);
	json_member_open(&w, kind, '{');
	json_member_value(&w, STR("name"), json_find(item, STR("name")));
	json_member_value(&w, member, json_find(item, member));
	json_close(&w);
	json_close(&w);
	draft_add_call(draft, json_written(&text, 0));
	buf_free(&text);
}

/* Adds the texts of a list of parts: of a message as text, of reasoning as thinking. */
static void
add_texts(struct draft *draft, struct json_value list, bool is_thinking)
{
	struct buf text = BUF_INIT;

	for (struct json_walk walk = json_walk_list(list); json_walk_next(&walk);) {
		struct json_value said = json_find(walk.value, STR("text"));

		if (said.type != JSON_STRING) {
			draft_add_block(draft, walk.value);
		} else if (!is_thinking) {
			draft_add_text(draft, said);
		} else {
			buf_reset(&text);
			buf_add_str(&text, STR("{\"type\":\"thinking\",\"thinking\":"));
			buf_add_str(&text, json_span(said));
			buf_add_char(&text, '}');
			draft_add_block(draft, json_written(&text, 0));
		}
	}
	buf_free(&text);
}

/* An item of another kind becomes a part unchanged. */
static void
add_item(struct draft *draft, struct json_value item)
{
	struct json_value type = json_find(item, STR("type"));

	if (json_is(type, STR("message")))
		add_texts(draft, json_find(item, STR("content")), false);
	else if (json_is(type, STR("function_call")))
		add_call(draft, item, STR("function"), STR("arguments"));
	else if (json_is(type, STR("custom_tool_call")))
		add_call(draft, item, STR("custom"), STR("input"));
	else if (json_is(type, STR("reasoning")) &&
	    json_has_elements(json_find(item, STR("summary"))))
		add_texts(draft, json_find(item, STR("summary")), true);
	else if (item.type == JSON_OBJECT)
		draft_add_block(draft, item);
}

static void
note_choices(struct chat *chat, const struct line *line, struct json_value choices)
{
	uint64_t count = 0;

	for (struct json_walk walk = json_walk_of(choices); json_walk_next(&walk);)
		count++;
	if (count > 1)
		dialect_note_flaw(chat->reading, line,
		    "an answer with %ju choices, of which the first is read", (uintmax_t)count);
}

bool
openai_answer_read(struct chat *chat, const struct line *line, struct json_value record)
{
	if (!openai_answer_is(record))
		return false;
	if (is_completion(record)) {
		read_completion(chat, line, record);
		note_choices(chat, line, json_find(record, STR("choices")));
	} else {
		chat_begin_draft(chat, STR("assistant"));
		add_metadata(chat->draft, record);
		for (struct json_walk walk = json_walk_of(json_find(record, STR("output")));
		     json_walk_next(&walk);)
			add_item(chat->draft, walk.value);
		chat_put_draft(chat, line);
	}
	return true;
}
