#include "dialects/unread.h"

#include "dialects/shapes.h"
#include "json/text.h"

/* Whether the value is a list that is not empty and has no element with a role. */
static bool
is_list_without_messages(struct json_value list)
{
	struct json_walk walk;
	bool found = false;

	json_walk_open(&walk, list);
	for (; list.type == JSON_ARRAY && json_walk_next(&walk); found = true)
		if (walk.value.type == JSON_OBJECT &&
		    json_find(walk.value, STR("role")).type == JSON_STRING)
			return false;
	return found;
}

bool
unread_speaks(struct json_value record)
{
	return record.type == JSON_OBJECT &&
	    (json_find(record, STR("role")).type > JSON_NULL ||
		json_find(record, STR("message")).type > JSON_NULL ||
		json_is(json_find(record, STR("type")), STR("message")) ||
		json_find(record, STR("messageStore")).type > JSON_NULL ||
		is_list_without_messages(json_find(record, STR("messages"))));
}

static void
find(struct unread *unread, const struct record *record)
{
	struct unread_finding finding = {record->line.file, record->line.number,
	    record->kind == RECORD_MESSAGE, shapes_name(record->message->value)};

	unread->found++;
	buf_add(&unread->findings, &finding, sizeof finding);
}

static void
take(struct stage *stage, struct record *record)
{
	struct unread *unread = (struct unread *)stage;
	const struct message *message;

	if (record->kind == RECORD_MESSAGE) {
		message = record_message(record, &unread->message);
		if (message_is_unknown(message)) {
			find(unread, record);
			record->kind = RECORD_FOREIGN;
		} else {
			unread->messages++;
		}
	} else if (record->kind == RECORD_FOREIGN) {
		message = record_message(record, &unread->message);
		if (unread_speaks(message->value))
			find(unread, record);
		else
			tally_add_record(&unread->passed, message->value);
	}
	stage_emit(stage, record);
}

void
unread_init(struct unread *unread)
{
	*unread = (struct unread){.stage = {.take = take, .end = stage_pass_end}};
}

bool
unread_next(struct unread *unread, size_t *at, struct unread_finding *finding)
{
	if (*at == unread->findings.len) {
		buf_reset(&unread->findings);
		*at = 0;
		return false;
	}
	memcpy(finding, unread->findings.ptr + *at, sizeof *finding);
	*at += sizeof *finding;
	return true;
}

void
unread_free(struct unread *unread)
{
	buf_free(&unread->findings);
}
