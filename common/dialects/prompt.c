#include "dialects/prompt.h"

#include "dialects/dialect.h"

/* Emits the waiting message, unless it equals the last one that was written. */
static void
emit_waiting(struct prompt *prompt)
{
	struct buf last = prompt->written;
	struct record record;

	if (!prompt->waits)
		return;
	prompt->waits = false;
	if (str_eq(buf_str(&prompt->text), buf_str(&last)))
		return;
	prompt->written = prompt->text;
	prompt->text = last;
	record_make(&record, &prompt->line, buf_str(&prompt->written));
	stage_emit(&prompt->stage, &record);
}

static void
hold(struct prompt *prompt, const struct record *record)
{
	struct json_value text = json_find(record->message->value, STR("system_prompt"));

	prompt->waits = text.type == JSON_STRING;
	if (!prompt->waits)
		return;
	dialect_write_system(&prompt->text, text);
	buf_add_char(&prompt->text, '\n');
	buf_pad(&prompt->text);
	prompt->line = (struct line){.file = record->line.file, .number = record->line.number};
}

static void
take(struct stage *stage, struct record *record)
{
	struct prompt *prompt = (struct prompt *)stage;

	if (record->kind == RECORD_CONTEXT) {
		hold(prompt, record);
		return;
	}
	if (record->kind == RECORD_MESSAGE)
		emit_waiting(prompt);
	stage_emit(stage, record);
}

static void
end(struct stage *stage)
{
	emit_waiting((struct prompt *)stage);
}

void
prompt_init(struct prompt *prompt)
{
	*prompt = (struct prompt){.stage = {.take = take, .end = end}};
}

void
prompt_free(struct prompt *prompt)
{
	buf_free(&prompt->written);
	buf_free(&prompt->text);
}
