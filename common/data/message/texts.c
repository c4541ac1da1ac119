#include "data/message/texts.h"

#include "data/message/tool_output.h"
#include "json/string.h"
#include "json/write.h"

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

/* A part, without the parts inside it. */
static void
find_own(const struct finder *finder, const struct part *part)
{
	struct part_text text;
	unsigned at = 0;

	while (part_next_text(part, PART_COUNTED, &at, &text)) {
		if (text.kind == TEXT_CONTENT && part_is_thinking(part))
			text.kind = TEXT_THINKING;
		else if (text.kind == TEXT_CONTENT && part_is_signed(part))
			text.kind = TEXT_SIGNED;
		finder->found(finder->context, text.kind, text.value);
	}
}

/* Members of the result of a server's tool that are no text. */
static bool
is_label(struct json_value name)
{
	static const struct str labels[] = {STR_INIT("type"), STR_INIT("id"),
	    STR_INIT("tool_use_id"), STR_INIT("file_id"), STR_INIT("file_type"),
	    STR_INIT("media_type"), STR_INIT("encrypted_content"), STR_INIT("encrypted_index"),
	    STR_INIT("encrypted_stdout"), STR_INIT("signature")};

	return JSON_IS_ONE_OF(name, labels);
}

/* The strings in a value, and the media among its objects; a value deeper than depth counts as its
 * JSON. */
static void
find_strings(const struct finder *finder, struct json_value value, unsigned depth)
{
	struct part part;

	if (value.type == JSON_STRING)
		find(finder, TEXT_CONTENT, value);
	if (value.type != JSON_OBJECT && value.type != JSON_ARRAY)
		return;
	if (depth == 0) {
		find(finder, TEXT_ARGUMENTS, value);
		return;
	}
	part_read(value, &part);
	if (part_is_media(&part)) {
		find_own(finder, &part);
		return;
	}
	for (struct json_walk walk = json_walk_of(value); json_walk_next(&walk);)
		if (!is_label(walk.name))
			find_strings(finder, walk.value, depth - 1);
}

/* Calls found for the texts of a part. Returns the array of parts inside it, such as the content of
 * a result, for the caller to go on with. */
static struct json_value
find_part(const struct finder *finder, struct json_value value)
{
	enum { DEPTH = 8 };
	struct json_value strings;
	struct part part;

	part_read(value, &part);
	find_own(finder, &part);
	strings = part_strings(&part);
	if (strings.type != JSON_STRING) /* which is the part's own */
		find_strings(finder, strings, DEPTH);
	return part_nested(&part);
}

static void
find_content(const struct finder *finder, struct json_value content)
{
	if (content.type != JSON_ARRAY) {
		find(finder, content.type == JSON_STRING ? TEXT_CONTENT : TEXT_ARGUMENTS, content);
		return;
	}
	for (struct json_walk parts = json_walk_of(content); json_walk_next(&parts);) {
		for (struct json_walk nested = json_walk_of(find_part(finder, parts.value));
		     json_walk_next(&nested);)
			find_part(finder, nested.value);
	}
}

/* A walk over the texts of a content that are shown. */
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
	shown->parts = json_walk_of(content);
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

static void
add_text(struct json_value text, struct buf *buf)
{
	if (text.type <= JSON_NULL)
		return;
	if (buf->len > 0)
		buf_add_char(buf, '\n');
	if (text.type == JSON_STRING)
		json_decode(text, buf);
	else
		buf_add_str(buf, json_span(text));
}

static void
read_content(struct json_value content, struct buf *buf)
{
	struct shown shown;
	struct json_value text;

	if (content.type != JSON_ARRAY)
		add_text(content, buf);
	shown_open(&shown, content);
	while (shown_next(&shown, &text))
		add_text(text, buf);
}

static bool
is_same_text(struct json_value a, struct json_value b)
{
	struct buf a_scratch = BUF_INIT, b_scratch = BUF_INIT;
	bool same;

	if (a.type != JSON_STRING || b.type != JSON_STRING)
		return false;
	same = str_eq(json_inner(a), json_inner(b));
	if (!same && (a.escaped || b.escaped))
		same = str_eq(json_text(a, &a_scratch), json_text(b, &b_scratch));
	buf_free(&a_scratch);
	buf_free(&b_scratch);
	return same;
}

struct json_value
message_other_text(const struct message *message)
{
	struct json_value other = message->result_text;
	struct buf content = BUF_INIT, scratch = BUF_INIT;
	bool is_same = other.type == JSON_ABSENT || is_same_text(message->content, other);

	if (!is_same && message->content.type == JSON_ARRAY) {
		read_content(message->content, &content);
		is_same = str_eq(buf_str(&content), json_text(other, &scratch));
	}
	buf_free(&content);
	buf_free(&scratch);
	if (is_same)
		other.type = JSON_ABSENT;
	return other;
}

bool
message_set_content(struct json_edit *edit, const struct message *message, struct str json)
{
	if (message->content.type != JSON_ABSENT)
		json_edit_replace(edit, json_span(message->content), json);
	if (message->result_text.type != JSON_ABSENT)
		json_edit_replace(edit, json_span(message->result_text), json);
	return message->content.type != JSON_ABSENT || message->result_text.type != JSON_ABSENT;
}

struct str
text_stand_in(enum text_kind kind)
{
	switch (kind) {
	case TEXT_IMAGE:
		return STR("[image]");
	case TEXT_AUDIO:
		return STR("[audio]");
	case TEXT_FILE:
		return STR("[file]");
	case TEXT_CONTENT:
	case TEXT_THINKING:
	case TEXT_SIGNED:
	case TEXT_NAME:
	case TEXT_ARGUMENTS:
		break;
	}
	return STR("");
}

void
message_texts(const struct message *message, text_found *found, void *context)
{
	struct finder finder = {.found = found, .context = context};
	struct tool_call call;

	if (message->reasoning.type == JSON_STRING)
		find(&finder, TEXT_THINKING, message->reasoning);
	find_content(&finder, message->content);
	find(&finder, TEXT_CONTENT, message_other_text(message));
	if (message->refusal.type == JSON_STRING)
		find(&finder, TEXT_CONTENT, message->refusal);
	for (struct call_walk calls = call_walk_of(message); call_walk_next(&calls, &call);) {
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

void
message_read_text(const struct message *message, struct buf *buf)
{
	read_content(message->content, buf);
	add_text(message_other_text(message), buf);
}

void
message_read_output(const struct message *message, struct buf *buf)
{
	struct buf output = BUF_INIT;

	buf_reset(buf);
	message_read_text(message, buf);
	if (message->role == ROLE_TOOL && tool_output_read(buf_str(buf), &output)) {
		buf_free(buf);
		*buf = output;
	}
}

static void
add_len(struct json_value text, size_t *len)
{
	if (text.type > JSON_NULL)
		*len += (*len > 0) + (text.type == JSON_STRING ? json_decoded_len(text) : text.len);
}

size_t
message_text_len(const struct message *message)
{
	struct shown shown;
	struct json_value text;
	size_t len = 0;

	if (message->content.type != JSON_ARRAY)
		add_len(message->content, &len);
	shown_open(&shown, message->content);
	while (shown_next(&shown, &text))
		add_len(text, &len);
	add_len(message_other_text(message), &len);
	return len;
}

void
message_write_system(struct buf *text, struct json_value content)
{
	struct json_writer w;

	buf_reset(text);
	json_begin(&w, text, '{');
	json_member_string(&w, STR("role"), STR("system"));
	json_member_raw(&w, STR("content"), json_span(content));
	json_close(&w);
}
