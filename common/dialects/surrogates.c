#include "dialects/surrogates.h"

#include "json/string.h"
#include "json/write.h"

/* U+FFFD, as long as the escapes that it replaces. */
#define SIGN "\\ufffd"

bool
surrogates_replace(char *json, size_t len)
{
	struct str text = str_of(json, len), half;
	size_t at = 0;

	while ((half = json_lone_surrogate(str_rest(text, at))).len > 0) {
		at = (size_t)(half.ptr - json);
		memcpy(json + at, SIGN, half.len);
		at += half.len;
	}
	return at > 0;
}

/* Edits arguments that are JSON in a string, in which an escape has two backslashes. */
static void
edit_arguments(struct surrogates *surrogates, struct str record)
{
	struct buf text = BUF_INIT, arguments = BUF_INIT, string = BUF_INIT;
	struct message message;
	struct tool_call call;

	json_edit_reset(&surrogates->edit, record);
	if (str_find(record, STR("\\\\ud")) == NULL && str_find(record, STR("\\\\uD")) == NULL)
		return;
	message_parse(&message, record);
	for (struct call_walk calls = call_walk_of(&message); call_walk_next(&calls, &call);) {
		if (call.arguments.type != JSON_STRING)
			continue;
		buf_set(&arguments, json_text(call.arguments, &text));
		buf_pad(&arguments);
		if (!surrogates_replace(arguments.ptr, arguments.len))
			continue;
		buf_reset(&string);
		json_write_string(&string, buf_str(&arguments));
		json_edit_replace(&surrogates->edit, json_span(call.arguments),
		    json_edit_keep(&surrogates->edit, buf_str(&string)));
	}
	buf_free(&text);
	buf_free(&arguments);
	buf_free(&string);
}

static void
edit_text(struct surrogates *surrogates, struct str record)
{
	struct buf mended = BUF_INIT;

	json_edit_reset(&surrogates->edit, record);
	if (json_lone_surrogate(record).len == 0)
		return;
	buf_set(&mended, record);
	buf_pad(&mended);
	surrogates_replace(mended.ptr, mended.len);
	json_edit_replace(
	    &surrogates->edit, record, json_edit_keep(&surrogates->edit, buf_str(&mended)));
	buf_free(&mended);
}

/* Gives the record its edited text, in buf, if there is an edit. */
static void
change(struct surrogates *surrogates, struct record *record, struct buf *buf)
{
	if (surrogates->edit.count == 0)
		return;
	record->edit = &surrogates->edit;
	record_settle(record, buf);
	if (record->state == RECORD_GIVEN)
		record->state = RECORD_CHANGED;
}

static void
take(struct stage *stage, struct record *record)
{
	struct surrogates *surrogates = (struct surrogates *)stage;
	bool is_due = surrogates->is_after ?
	    record->kind != RECORD_BAD && record->state != RECORD_ASIDE :
	    record->kind == RECORD_MESSAGE || record->kind == RECORD_CONTEXT;

	if (is_due) {
		record_settle(record, &surrogates->settled);
		if (!surrogates->is_after) {
			edit_arguments(surrogates, record->line.text);
			change(surrogates, record, &surrogates->arguments);
		}
		edit_text(surrogates, record->line.text);
		change(surrogates, record, &surrogates->text);
	}
	stage_emit(stage, record);
}

void
surrogates_init(struct surrogates *surrogates, bool is_after)
{
	*surrogates = (struct surrogates){.stage = {.take = take, .end = stage_pass_end},
	    .is_after = is_after,
	    .edit = JSON_EDIT_INIT};
}

void
surrogates_free(struct surrogates *surrogates)
{
	json_edit_free(&surrogates->edit);
	buf_free(&surrogates->settled);
	buf_free(&surrogates->arguments);
	buf_free(&surrogates->text);
}
