#include "dialects/untrusted.h"

#include "json/text.h"

/* Adds to edit the removal of each member metadata or _metadata. */
static void
remove_metadata(struct json_edit *edit, struct json_value object)
{
	struct json_walk walk;

	json_walk_open(&walk, object);
	while (json_walk_next(&walk))
		if (json_is(walk.name, STR("metadata")) || json_is(walk.name, STR("_metadata")))
			json_edit_remove(edit, walk.name, walk.value);
}

static void
strip_message(struct dialect_reading *reading, struct record *record, struct message *message,
    struct buf *text)
{
	struct json_edit edit;

	json_edit_init(&edit, record->line.text);
	remove_metadata(&edit, record->message->value);
	if (edit.count > 0) {
		reading->metadata++;
		record->edit = &edit;
		record_settle(record, text);
		if (record->state == RECORD_GIVEN)
			record->state = RECORD_CHANGED;
		record_message(record, message);
	}
	json_edit_free(&edit);
}

bool
untrusted_strip(struct dialect_reading *reading, struct record *record, struct message *message,
    struct buf *text)
{
	switch (record->kind) {
	case RECORD_MESSAGE:
		strip_message(reading, record, message, text);
		return true;
	case RECORD_CONTEXT:
		reading->contexts++;
		return false;
	case RECORD_BUDGET:
		reading->budgets++;
		return false;
	default:
		return true;
	}
}

static void
take(struct stage *stage, struct record *record)
{
	struct untrusted *untrusted = (struct untrusted *)stage;

	if (untrusted_strip(untrusted->reading, record, &untrusted->message, &untrusted->text))
		stage_emit(stage, record);
}

void
untrusted_init(struct untrusted *untrusted, struct dialect_reading *reading)
{
	*untrusted =
	    (struct untrusted){.stage = {.take = take, .end = stage_pass_end}, .reading = reading};
}

void
untrusted_free(struct untrusted *untrusted)
{
	buf_free(&untrusted->text);
}
