#include "dialects/untrusted.h"

#include "json/string.h"

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

/* Adds to edit the members by which a call and its result know each other, where only metadata says
 * them. As members they are what the message itself could say, and claim no more. */
static void
keep_pair(struct json_edit *edit, const struct message *message)
{
	static const enum metadata_name pair[] = {
	    METADATA_TOOL_CALLS, METADATA_TOOL_CALL_ID, METADATA_TOOL_RESULT};

	for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
		struct str name = metadata_name_text(pair[i]);
		struct json_value said = message->meta[pair[i]];
		struct json_value own = json_find(message->value, name);

		if (said.type <= JSON_NULL || own.type > JSON_NULL)
			continue;
		if (own.type == JSON_ABSENT)
			json_edit_add(edit, message->value, name, json_span(said));
		else
			json_edit_replace(edit, json_span(own), json_span(said));
	}
}

static void
strip_message(struct dialect_reading *reading, struct record *record, struct message *message,
    struct buf *text)
{
	struct json_edit edit;

	json_edit_init(&edit, record->line.text);
	remove_metadata(&edit, record->message->value);
	if (edit.count > 0) {
		keep_pair(&edit, record->message);
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
	struct message message;

	if (untrusted_strip(untrusted->reading, record, &message, &untrusted->text))
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
