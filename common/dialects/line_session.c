#include "dialects/line_session.h"

#include "data/line_id.h"
#include "data/message/metadata.h"
#include "json/members.h"

static void
take(struct stage *stage, struct record *record)
{
	struct line_session *session = (struct line_session *)stage;
	struct metadata_member member = {METADATA_SESSION_ID, buf_str(&session->id)};
	struct message read;
	const struct message *message = record_message(record, &read);

	if (record->kind != RECORD_MESSAGE && record->kind != RECORD_CONTEXT) {
		stage_emit(stage, record);
		return;
	}
	record->begins = !session->has_begun;
	session->has_begun = true;
	json_edit_reset(&session->edit, record->line.text);
	if (message->meta[METADATA_SESSION_ID].type == JSON_ABSENT &&
	    metadata_set(&session->edit, message, &member, 1)) {
		record->read |= message->has_metadata ? 0 : RECORD_READ_OWN;
		record->edit = &session->edit;
		record_settle(record, &session->text);
		record_message(record, &session->parsed);
	}
	stage_emit(stage, record);
}

void
line_session_init(struct line_session *session)
{
	*session = (struct line_session){
	    .stage = {.take = take}, .times = MAP_INIT, .edit = JSON_EDIT_INIT};
}

void
line_session_free(struct line_session *session)
{
	map_free(&session->times);
	json_edit_free(&session->edit);
	buf_free(&session->id);
	buf_free(&session->text);
}

bool
line_session_is(struct json_value value)
{
	return value.type == JSON_OBJECT && json_find(value, STR("model")).type == JSON_ABSENT;
}

/* Begins a line; its id is written next. */
static void
begin(struct line_session *session, struct stage *next)
{
	session->stage.next = next;
	session->stage.fault = next->fault;
	session->has_begun = false;
	buf_reset(&session->id);
}

void
line_session_name(struct line_session *session, struct json_value id, struct stage *next)
{
	begin(session, next);
	buf_add_str(&session->id, json_span(id));
}

void
line_session_begin(struct line_session *session, struct json_value value, struct stage *next)
{
	struct hash key;
	uint64_t times;

	begin(session, next);
	line_id_write(json_span(value), &session->id);
	key = hash_label(buf_str(&session->id));
	times = map_get(&session->times, key);
	times = times == MAP_NONE ? 1 : times + 1;
	map_set(&session->times, key, times);
	if (times > 1)
		line_id_number(&session->id, times);
}
