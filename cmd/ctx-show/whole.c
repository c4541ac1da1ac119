#include "whole.h"

#include "base/number.h"
#include "data/message/texts.h"
#include "data/message/timestamp.h"
#include "json/leaves.h"
#include "json/nested.h"
#include "json/string.h"
#include "json/write.h"

void
whole_init(struct whole *whole, struct screen *screen, bool has_members)
{
	*whole = (struct whole){.screen = screen, .has_members = has_members};
}

void
whole_free(struct whole *whole)
{
	buf_free(&whole->head);
	buf_free(&whole->text);
}

/* Sets head to what the step is: "57 tool · read src/gauge.c · pinned". */
static void
set_head(struct whole *whole, const struct step *step)
{
	struct str joint = screen_joint(whole->screen);
	const struct call_line *call = step->verdict != NULL ? calls_answered(step->calls) : NULL;
	struct buf *head = &whole->head;

	buf_reset(head);
	if (step->number > 0) {
		line_number_add(head, step->number);
		buf_add_char(head, ' ');
	}
	step_add_role(step, head);
	buf_add_str(head, joint);
	if (call != NULL && call->tool.len + call->use.len > 0) {
		buf_add_fmt(
		    head, "%.*s %.*s", STR_ARG(buf_str(&call->tool)), STR_ARG(buf_str(&call->use)));
		buf_add_str(head, joint);
	}
	step_add_marks(step, joint, head);
	head->len -= joint.len;
}

/* Sets text to when it was, and its tokens. */
static void
set_figures(struct whole *whole, const struct step *step)
{
	uint64_t seconds = step->time >= 0 ? (uint64_t)step->time / 1000 % 86400 : 0;
	struct buf *text = &whole->text;

	buf_reset(text);
	if (timestamp_add_day(step->time, text)) {
		buf_add_fmt(text, " %02u:%02u:%02u", (unsigned)(seconds / 3600),
		    (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
		buf_add_str(text, step_has_tokens(step) ? screen_joint(whole->screen) : STR(""));
	}
	if (step_has_tokens(step))
		buf_add_fmt(text, "%s tokens", number_grouped(step->tokens).text);
}

/* Adds a text; one that is an object or an array of JSON is laid out. */
static void
add_text(struct whole *whole, struct json_value value, enum cells_paint paint)
{
	struct arena arena = ARENA_INIT;
	struct json_nested nested;

	json_nested_read(&nested, value, &arena);
	if (json_has_elements(nested.value))
		screen_json(whole->screen, nested.value, STR(""));
	else if (nested.text.len > 0)
		screen_lines(whole->screen, nested.text, STR(""), paint);
	arena_free(&arena);
}

/* Adds the arguments of a call, each on lines of its own. */
static void
add_arguments(struct whole *whole, struct json_value value)
{
	struct arena arena = ARENA_INIT;
	struct json_nested nested = {.value = value};

	if (value.type == JSON_STRING)
		json_nested_read(&nested, value, &arena);
	if (nested.value.type == JSON_OBJECT)
		screen_members(whole->screen, nested.value, STR(""));
	else if (value.type == JSON_STRING)
		screen_lines(whole->screen, nested.text, STR(""), PAINT_NONE);
	else
		screen_json(whole->screen, value, STR(""));
	arena_free(&arena);
}

/* Adds the kind of an image or a file, and its size: the longest string of the part is its bytes
 * in base64, or says where they are. */
static void
add_media(struct whole *whole, enum text_kind kind, struct json_value part)
{
	static const struct str types[] = {
	    STR_INIT("media_type"), STR_INIT("mime_type"), STR_INIT("mimeType")};
	struct str longest = STR(""), type = STR(""), data = STR("data:");
	struct buf text = BUF_INIT;
	struct json_leaves leaves;
	enum json_leaf leaf;
	const char *comma;

	json_leaves_open(&leaves, json_span(part));
	while ((leaf = json_leaves_next(&leaves)) != JSON_LEAF_END) {
		if (leaf != JSON_LEAF_STRING)
			continue;
		if (leaves.value.len - 2 > longest.len)
			longest = json_inner(leaves.value);
		if (JSON_IS_ONE_OF(json_leaves_name(&leaves), types))
			type = json_inner(leaves.value);
	}
	comma = str_has_prefix(longest, data) ? str_find(longest, STR(",")) : NULL;
	if (comma != NULL) {
		type = str_of(longest.ptr + data.len, (size_t)(comma - longest.ptr) - data.len);
		longest = str_rest(longest, (size_t)(comma - longest.ptr) + 1);
	}
	buf_add_str(&text, text_stand_in(kind));
	buf_add_fmt(&text, " %.*s ", STR_ARG(type));
	if (str_find(longest, STR("://")) != NULL)
		buf_add_str(&text, longest);
	else
		number_write_size(&text, longest.len / 4 * 3);
	screen_lines(whole->screen, buf_str(&text), STR(""), PAINT_BLUE);
	buf_free(&text);
}

static void
add_name(struct whole *whole, struct json_value name)
{
	struct buf *text = &whole->text;

	buf_set(text, STR("call "));
	json_decode(name, text);
	screen_label(whole->screen, buf_str(text));
}

static void
add_found(void *context, enum text_kind kind, struct json_value value)
{
	struct whole *whole = context;

	bool is_text = kind == TEXT_CONTENT || kind == TEXT_SIGNED;

	if (is_text && whole->is_beside)
		screen_label(whole->screen, STR("text"));
	whole->is_beside = !is_text;
	switch (kind) {
	case TEXT_CONTENT:
	case TEXT_SIGNED:
		add_text(whole, value, PAINT_NONE);
		break;
	case TEXT_THINKING:
		screen_label(whole->screen, STR("thinking"));
		add_text(whole, value, PAINT_FAINT);
		break;
	case TEXT_NAME:
		add_name(whole, value);
		break;
	case TEXT_ARGUMENTS:
		add_arguments(whole, value);
		break;
	default:
		add_media(whole, kind, value);
	}
}

/* Adds the members of the message that are no text of it. */
static void
add_members(struct whole *whole, const struct message *message)
{
	static const struct str texts[] = {STR_INIT("role"), STR_INIT("content"),
	    STR_INIT("tool_calls"), STR_INIT("reasoning_content"), STR_INIT("refusal")};
	struct buf object = BUF_INIT;
	struct json_writer w;

	json_begin(&w, &object, '{');
	for (struct json_walk walk = json_walk_members(message->value); json_walk_next(&walk);)
		if (!JSON_IS_ONE_OF(walk.name, texts) && walk.value.ptr != message->metadata.ptr)
			json_put_member(&w, walk.name, walk.value);
	for (struct json_walk walk = json_walk_members(message->metadata); json_walk_next(&walk);)
		json_put_member(&w, walk.name, walk.value);
	json_close(&w);
	buf_pad(&object);
	screen_label(whole->screen, STR("metadata"));
	screen_members(whole->screen, json_value_at(object.ptr), STR(""));
	buf_free(&object);
}

void
whole_add(struct whole *whole, const struct step *step)
{
	set_head(whole, step);
	set_figures(whole, step);
	whole->is_beside = false;
	screen_rule(whole->screen, buf_str(&whole->head), buf_str(&whole->text), PAINT_BOLD);
	if (step->kind == RECORD_BAD)
		screen_lines(whole->screen, step->text, STR(""), PAINT_RED);
	else if (step->kind != RECORD_MESSAGE)
		screen_json(whole->screen, step->message->value, STR(""));
	else
		message_texts(step->message, add_found, whole);
	if (whole->has_members && step->kind == RECORD_MESSAGE)
		add_members(whole, step->message);
}
