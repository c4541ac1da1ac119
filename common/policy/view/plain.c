#include "policy/view/plain.h"

#include "base/text/text.h"
#include "base/text/visible.h"
#include "data/message/texts.h"
#include "json/string.h"
#include "stream/input.h"

static void
add_found(void *context, enum text_kind kind, struct json_value value)
{
	struct buf *text = context;
	struct str stand_in = text_stand_in(kind);

	if (kind != TEXT_CONTENT && kind != TEXT_SIGNED && stand_in.len == 0)
		return;
	buf_end_line(text);
	if (stand_in.len > 0)
		buf_add_str(text, stand_in);
	else if (value.type == JSON_STRING)
		json_decode(value, text);
	else
		buf_add_str(text, json_span(value));
}

/* Appends one line of a text, tabs as they are. */
static void
add_line(struct buf *to, struct str line)
{
	const char *p = line.ptr, *end = p + line.len;

	if (visible_is(line)) {
		buf_add_str(to, line);
		return;
	}
	while (p < end) {
		if (*p == '\t') {
			buf_add_char(to, *p++);
			continue;
		}
		to->len += visible_next(&p, end, buf_reserve(to, VISIBLE_MAX));
	}
}

/* Appends the text: its first line behind the role, the others indented. */
static void
add_text(struct buf *to, struct str text)
{
	struct str trimmed = str_trim(text);

	text.len = (size_t)(trimmed.ptr + trimmed.len - text.ptr);
	for (bool is_first = true; text.len > 0; is_first = false) {
		struct str line = input_line_text(str_take_line(&text));

		if (line.len > 0)
			buf_add_str(to, is_first ? STR(" ") : STR("    "));
		add_line(to, line);
		buf_add_char(to, '\n');
	}
}

static void
take(struct stage *stage, struct record *record)
{
	struct plain *plain = (struct plain *)stage;
	struct record written = {.kind = RECORD_MESSAGE, .line = {.number = record->line.number}};
	const struct message *message;
	struct message read;
	struct buf role = BUF_INIT;

	if (record->kind == RECORD_BAD) {
		record->state = RECORD_ASIDE;
		stage_emit(stage, record);
	}
	if (record->kind != RECORD_MESSAGE)
		return;
	record_settle(record, &plain->settled);
	message = record_message(record, &read);
	buf_reset(&plain->line);
	text_add_visible(&plain->line, json_text(message->role_value, &role));
	buf_add_char(&plain->line, ':');
	buf_reset(&plain->text);
	message_texts(message, add_found, &plain->text);
	if (str_trim(buf_str(&plain->text)).len > 0)
		add_text(&plain->line, buf_str(&plain->text));
	else
		buf_add_char(&plain->line, '\n');
	written.line.raw = written.line.text = buf_str(&plain->line);
	written.state = record->state == RECORD_ADDED ? RECORD_ADDED : RECORD_CHANGED;
	stage_emit(stage, &written);
	buf_free(&role);
}

void
plain_init(struct plain *plain)
{
	*plain = (struct plain){.stage = {.take = take, .end = stage_pass_end}};
}

void
plain_free(struct plain *plain)
{
	buf_free(&plain->settled);
	buf_free(&plain->text);
	buf_free(&plain->line);
}
