#include "dialects/request/prompt.h"

#include "data/message/texts.h"
#include "json/string.h"

static void
take(struct stage *stage, struct record *record)
{
	struct prompt *prompt = (struct prompt *)stage;
	struct message read;

	if (!prompt->has_begun && record->kind == RECORD_MESSAGE) {
		prompt->has_begun = true;
		if (role_is_system(record_message(record, &read)->role))
			message_read_text(record->message, &prompt->first_text);
	}
	if (record->kind == RECORD_CONTEXT) {
		prompt->has_context = true;
		buf_set(&prompt->context, json_span(record_message(record, &read)->value));
		buf_pad(&prompt->context);
		prompt->line =
		    (struct line){.file = record->line.file, .number = record->line.number};
	} else if (prompt->has_context) {
		queue_add(&prompt->held, record, FATE_FINAL);
	} else {
		stage_emit(stage, record);
	}
}

static void
end(struct stage *stage)
{
	struct prompt *prompt = (struct prompt *)stage;
	struct json_value text;

	if (!prompt->has_context)
		return;
	text = json_find(json_value_at(prompt->context.ptr), STR("system_prompt"));
	if (text.type == JSON_STRING && !json_is(text, buf_str(&prompt->first_text))) {
		struct record record; /* no message of the input */

		message_write_system(&prompt->text, text);
		buf_pad(&prompt->text);
		record_make(&record, &prompt->line, buf_str(&prompt->text));
		stage_emit(&prompt->stage, &record);
	}
	queue_emit(&prompt->held, stage);
}

void
prompt_init(struct prompt *prompt)
{
	*prompt = (struct prompt){
	    .stage = {.take = take, .end = end}, .held = QUEUE_OF(struct queue_item)};
}

void
prompt_free(struct prompt *prompt)
{
	queue_free(&prompt->held);
	buf_free(&prompt->context);
	buf_free(&prompt->text);
	buf_free(&prompt->first_text);
}
