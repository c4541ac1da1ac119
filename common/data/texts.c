#include "data/texts.h"

#include "json/text.h"

struct finder {
	text_found *found;
	void *context;
};

static void
find(const struct finder *finder, enum text_kind kind, struct json_value value)
{
	if (value.type != JSON_ABSENT && value.type != JSON_NULL)
		finder->found(finder->context, kind, value);
}

/* A part; returns what it nests, the content of a result, as the caller's next array. */
static struct json_value
find_part(const struct finder *finder, struct json_value value)
{
	struct part part;
	struct part_text text;
	unsigned at = 0;

	part_read(value, &part);
	while (part_next_text(&part, PART_COUNTED, &at, &text))
		finder->found(finder->context, text.kind, text.value);
	return part_nested(&part);
}

static void
find_content(const struct finder *finder, struct json_value content)
{
	struct json_walk parts, nested;

	if (content.type == JSON_STRING)
		find(finder, TEXT_CONTENT, content);
	if (content.type != JSON_ARRAY)
		return;
	json_walk_open(&parts, content);
	while (json_walk_next(&parts)) {
		json_walk_open(&nested, find_part(finder, parts.value));
		while (json_walk_next(&nested))
			find_part(finder, nested.value);
	}
}

void
message_texts(const struct message *message, text_found *found, void *context)
{
	struct finder finder = {.found = found, .context = context};
	struct call_walk calls;
	struct tool_call call;

	find_content(&finder, message->content);
	call_walk_open(&calls, message);
	while (call_walk_next(&calls, &call)) {
		if (call.name.type == JSON_STRING)
			find(&finder, TEXT_NAME, call.name);
		find(&finder, TEXT_ARGUMENTS, call.arguments);
	}
}

void
message_context_texts(const struct message *context, text_found *found, void *user)
{
	struct finder finder = {.found = found, .context = user};
	struct json_value prompt = json_find(context->value, STR("system_prompt"));

	if (prompt.type == JSON_STRING)
		find(&finder, TEXT_CONTENT, prompt);
	find(&finder, TEXT_ARGUMENTS, json_find(context->value, STR("tools")));
	find(&finder, TEXT_ARGUMENTS, json_find(context->value, STR("response_format")));
}

/* The texts of a content that are shown, one after another. */
struct shown {
	struct json_walk parts;
	struct part part;
	unsigned at;
};

static void
shown_open(struct shown *shown, struct json_value content)
{
	if (content.type != JSON_ARRAY)
		content.type = JSON_ABSENT;
	json_walk_open(&shown->parts, content);
	part_read(content, &shown->part);
	shown->at = 0;
}

static bool
shown_next(struct shown *shown, struct json_value *text)
{
	struct part_text found;

	while (!part_next_text(&shown->part, PART_SHOWN, &shown->at, &found)) {
		if (!json_walk_next(&shown->parts))
			return false;
		part_read(shown->parts.value, &shown->part);
		shown->at = 0;
	}
	*text = found.value;
	return true;
}

void
message_read_text(const struct message *message, struct buf *buf)
{
	struct shown shown;
	struct json_value text;

	if (message->content.type == JSON_STRING) {
		json_decode(message->content, buf);
		return;
	}
	shown_open(&shown, message->content);
	while (shown_next(&shown, &text)) {
		if (buf->len > 0)
			buf_add_char(buf, '\n');
		json_decode(text, buf);
	}
}

size_t
message_text_len(const struct message *message)
{
	struct shown shown;
	struct json_value text;
	size_t len = 0;

	if (message->content.type == JSON_STRING)
		return json_decoded_len(message->content);
	shown_open(&shown, message->content);
	while (shown_next(&shown, &text))
		len += (len > 0) + json_decoded_len(text);
	return len;
}
