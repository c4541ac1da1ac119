#include "whole.h"

#include "base/number.h"
#include "data/message/texts.h"
#include "data/message/timestamp.h"
#include "face/terminal/screen_text.h"
#include "json/string.h"

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

/* Sets head to the description of the step: "57 tool · read src/gauge.c · pinned". */
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
		screen_text(whole->screen, value, PAINT_NONE);
		break;
	case TEXT_THINKING:
		screen_label(whole->screen, STR("thinking"));
		screen_text(whole->screen, value, PAINT_FAINT);
		break;
	case TEXT_NAME:
		add_name(whole, value);
		break;
	case TEXT_ARGUMENTS:
		screen_text_arguments(whole->screen, value);
		break;
	default:
		screen_text_media(whole->screen, kind, value);
	}
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
	if (whole->has_members && step->kind == RECORD_MESSAGE) {
		screen_label(whole->screen, STR("metadata"));
		screen_text_members(whole->screen, step->message);
	}
}
