#include "opened_context.h"

#include "metadata_member.h"

/* A context record that was made of an AgentContext of instructor begins a session of its own, and
 * says so by this member of its metadata. */
#define ORIGIN STR("x_instructor")

/* Emits the context before the line, unless the options change nothing. If the line has a byte
 * order mark, the mark goes before the context. */
static void
add_context(struct opened_context *opening, struct line *line)
{
	struct buf *text = &opening->text;
	size_t before = (size_t)(line->text.ptr - line->raw.ptr);
	struct str base = buf_str(&opening->base);
	struct message message;
	struct record record;

	buf_reset(text);
	buf_add(text, line->raw.ptr, before);
	message_parse(&message, base);
	if (!context_change(opening->context, &message, base, text))
		return;
	buf_add_char(text, '\n');
	buf_pad(text);
	record_make(&record, line, buf_str(text));
	record.line.text = str_of(text->ptr + before, text->len - before - 1);
	record.kind = RECORD_CONTEXT;
	stage_emit(&opening->stage, &record);
	line->raw.len -= before;
	line->raw.ptr = line->text.ptr;
}

/* Applies the options to a context record, of which message is the parsed text. */
static void
change_context(struct opened_context *opening, struct record *record, const struct message *message)
{
	struct str text = record->line.text;

	buf_reset(&opening->text);
	if (!context_change(opening->context, message, text, &opening->text))
		return;
	json_edit_reset(&opening->edit, text);
	json_edit_replace(&opening->edit, text, buf_str(&opening->text));
	record->edit = &opening->edit;
	record->state = RECORD_CHANGED;
}

static void
take(struct stage *stage, struct record *record)
{
	struct opened_context *opening = (struct opened_context *)stage;
	struct message read;

	if (!opening->has_begun && record->kind != RECORD_BLANK) {
		opening->has_begun = true;
		if (opening->context->is_given && record->kind != RECORD_CONTEXT)
			add_context(opening, &record->line);
	}
	if (record->kind == RECORD_CONTEXT)
		change_context(opening, record, record_message(record, &read));
	stage_emit(stage, record);
}

static void
end(struct stage *stage)
{
	struct opened_context *opening = (struct opened_context *)stage;
	struct line nowhere = {.number = 0};

	if (!opening->has_begun && opening->context->is_given)
		add_context(opening, &nowhere);
}

void
opened_context_restart(struct opened_context *opening)
{
	buf_set(&opening->base, STR("{\"type\":\"context\"}"));
	buf_pad(&opening->base);
}

void
opened_context_init(struct opened_context *opening, const struct context *context)
{
	*opening = (struct opened_context){.stage = {.take = take, .end = end}, .context = context};
	opened_context_restart(opening);
}

void
opened_context_recall(struct opened_context *opening, struct record *record)
{
	const struct message *message;
	struct message read;

	if (!opening->context->is_given || record->kind != RECORD_CONTEXT)
		return;
	message = record_message(record, &read);
	json_edit_reset(&opening->edit, record->line.text);
	if (message->metadata.type == JSON_OBJECT)
		metadata_member_put(&opening->edit, message->metadata, ORIGIN, STR(""));
	buf_reset(&opening->base);
	json_edit_write(&opening->edit, &opening->base);
	buf_pad(&opening->base);
}

void
opened_context_free(struct opened_context *opening)
{
	buf_free(&opening->base);
	buf_free(&opening->text);
	json_edit_free(&opening->edit);
}
