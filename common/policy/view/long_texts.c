#include "policy/view/long_texts.h"

#include "data/message/metadata.h"
#include "data/message/texts.h"
#include "json/string.h"
#include "json/write.h"

/* The bytes of ,"_metadata":{"compacted":true} at most; a text that is cut makes room for it. */
enum { SPARE = sizeof ",\"_metadata\":{\"compacted\":true}" - 1 };

/* Cutting the texts of one message. */
struct cutting {
	const struct cut_limit *limit;
	struct json_edit *edit;
	uint64_t texts;
};

static void
cut_string(struct cutting *cutting, struct json_value string)
{
	struct buf scratch = BUF_INIT, cut = BUF_INIT, json = BUF_INIT;
	struct str text;

	if (json_inner(string).len <= cutting->limit->size.value)
		return;
	text = json_text(string, &scratch);
	if (cut_limit_passed(cutting->limit, text)) {
		cut_limit_apply(cutting->limit, text, SPARE, &cut);
		json_write_string(&json, buf_str(&cut));
		json_edit_replace(cutting->edit, json_span(string),
		    json_edit_keep(cutting->edit, buf_str(&json)));
		cutting->texts++;
	}
	buf_free(&scratch);
	buf_free(&cut);
	buf_free(&json);
}

static void
found(void *context, enum text_kind kind, struct json_value value)
{
	if (kind == TEXT_CONTENT && value.type == JSON_STRING)
		cut_string(context, value);
}

/* Notes the cuts of the message in texts->edit. */
static void
cut_texts(struct long_texts *texts, const struct message *message)
{
	static const struct metadata_member compacted = {METADATA_COMPACTED, STR_INIT("true")};
	struct cutting cutting = {.limit = &texts->limit, .edit = &texts->edit};

	message_texts(message, found, &cutting);
	/* A text that instructor says twice counts once, and is cut in both places. */
	if (message->result_text.type == JSON_STRING &&
	    message_other_text(message).type == JSON_ABSENT)
		cut_string(&cutting, message->result_text);
	if (cutting.texts > 0 && !message_is(message, METADATA_COMPACTED))
		metadata_set(&texts->edit, message, &compacted, 1);
	texts->texts += cutting.texts;
}

/* Most records are too short to hold a long text. */
static bool
is_chosen(const struct long_texts *texts, struct record *record, struct message *read)
{
	const struct message *message;

	if (record->kind != RECORD_MESSAGE || record->line.text.len <= texts->limit.size.value)
		return false;
	message = record_message(record, read);
	return message->role != ROLE_OTHER && selectors_match_message(texts->chosen, message);
}

static void
take(struct stage *stage, struct record *record)
{
	struct long_texts *texts = (struct long_texts *)stage;
	struct message read;

	record_settle(record, &texts->settled);
	if (!is_chosen(texts, record, &read)) {
		stage_emit(stage, record);
		return;
	}
	json_edit_reset(&texts->edit, record->line.text);
	cut_texts(texts, record->message);
	if (texts->edit.count > 0 && !fault_is_set(stage->fault)) {
		record->edit = &texts->edit;
		record->state = record->state == RECORD_GIVEN ? RECORD_CHANGED : record->state;
	}
	stage_emit(stage, record);
}

void
long_texts_init(
    struct long_texts *stage, const struct cut_limit *limit, const struct selectors *chosen)
{
	*stage = (struct long_texts){
	    .stage = {.take = take, .end = stage_pass_end}, .limit = *limit, .chosen = chosen};
}

void
long_texts_free(struct long_texts *stage)
{
	json_edit_free(&stage->edit);
	buf_free(&stage->settled);
}
