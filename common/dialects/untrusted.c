#include "dialects/untrusted.h"

#include "json/string.h"

/* Adds to edit the removal of each member metadata or _metadata. If a block says that a result is
 * an error, metadata keeps that mark and nothing else. */
static void
remove_metadata(struct json_edit *edit, const struct message *message, bool is_error)
{
	for (struct json_walk walk = json_walk_of(message->value); json_walk_next(&walk);) {
		if (!json_is(walk.name, STR("metadata")) && !json_is(walk.name, STR("_metadata")))
			continue;
		if (is_error && walk.value.ptr == message->metadata.ptr)
			json_edit_replace(edit, json_span(walk.value), STR("{\"is_error\":true}"));
		else
			json_edit_remove(edit, walk.name, walk.value);
	}
}

/* Adds to edit the members that link a call and its result, if only metadata has them. As members,
 * they claim no more than the message itself could. */
static void
keep_pair(struct json_edit *edit, const struct message *message)
{
	static const enum metadata_name pair[] = {
	    METADATA_TOOL_CALLS, METADATA_TOOL_CALL_ID, METADATA_TOOL_RESULT};

	for (size_t i = 0; i < ARRAY_COUNT(pair); i++) {
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

/* Strips the record, and counts it if it loses metadata of the input. */
static void
strip(struct untrusted *untrusted, struct record *record)
{
	struct json_edit edit;
	const struct message *message;
	bool is_own = (record->read & RECORD_READ_OWN) != 0;

	record_settle(record, &untrusted->settled);
	message = record_message(record, &untrusted->message);
	json_edit_init(&edit, record->line.text);
	remove_metadata(&edit, message, (record->read & RECORD_READ_ERROR) != 0);
	if (edit.count > 0) {
		if (!is_own)
			keep_pair(&edit, message);
		untrusted->reading->metadata += !is_own;
		record->edit = &edit;
		record_settle(record, &untrusted->text);
		if (record->state == RECORD_GIVEN)
			record->state = RECORD_CHANGED;
		record_message(record, &untrusted->message);
	}
	json_edit_free(&edit);
}

static void
take(struct stage *stage, struct record *record)
{
	struct untrusted *untrusted = (struct untrusted *)stage;
	struct dialect_reading *reading = untrusted->reading;
	bool is_agents = (record->read & RECORD_READ_AGENT) != 0;

	switch (record->kind) {
	case RECORD_CONTEXT:
		reading->contexts++;
		return;
	case RECORD_BUDGET:
		reading->budgets++;
		return;
	case RECORD_MESSAGE:
		reading->agents += is_agents;
		if (is_agents)
			return;
		strip(untrusted, record);
		break;
	default:
		break;
	}
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
	buf_free(&untrusted->settled);
}
