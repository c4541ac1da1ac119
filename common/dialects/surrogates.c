#include "dialects/surrogates.h"

#include "json/string.h"

enum { ESCAPE = 6 }; /* bytes */

/* Replaces the escapes from the offset at on. */
static void
replace(struct surrogates *surrogates, struct record *record, size_t at)
{
	struct str text = record->line.text;

	json_edit_reset(&surrogates->edit, text);
	for (; at < text.len; at = json_lone_surrogate(text, at + ESCAPE))
		json_edit_replace(&surrogates->edit, str_of(text.ptr + at, ESCAPE), STR("\\ufffd"));
	record->edit = &surrogates->edit;
	record_settle(record, &surrogates->text);
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
	size_t at;

	if (is_due) {
		record_settle(record, &surrogates->settled);
		at = json_lone_surrogate(record->line.text, 0);
		if (at < record->line.text.len)
			replace(surrogates, record, at);
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
	buf_free(&surrogates->text);
}
