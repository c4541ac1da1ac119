#include "dialects/check/talk.h"

#include <stdlib.h>

#include "base/list.h"
#include "dialects/request/request.h"
#include "json/string.h"

/* A call that waits for its result. */
struct talk_call {
	size_t at; /* of its id in the ids of the conversation, as JSON */
	size_t len;
	struct line line; /* that has it */
	bool is_answered;
};

static struct hash
group_key(const struct talk *talk, struct json_value id)
{
	return hash_bytes(json_span(id), hash_number(talk->group, hash_seed(HASH_CALL_ID)));
}

static struct hash
id_key(struct json_value id)
{
	return hash_bytes(json_span(id), hash_seed(HASH_CALL_ID));
}

void
talk_close_calls(struct talk *talk, struct inspection *inspection)
{
	for (uint32_t i = 0; i < talk->due_count; i++)
		if (!talk->due[i].is_answered)
			inspection_find_at(inspection, VIOLATION_UNANSWERED_CALL,
			    &talk->due[i].line,
			    str_of(talk->ids.ptr + talk->due[i].at, talk->due[i].len));
	talk->due_count = 0;
	buf_reset(&talk->ids);
	map_free(&talk->by_group);
}

void
talk_add_call(struct talk *talk, struct inspection *inspection, struct json_value id)
{
	bool is_repeated;

	if (id.type != JSON_STRING)
		return;
	is_repeated = map_set(&talk->all, id_key(id), 1) != MAP_NONE;
	if (is_repeated && (inspection->dialect->alternates || inspection->dialect->follow != NULL))
		inspection_find(inspection, VIOLATION_REPEATED_CALL_ID, id);
	if (map_get(&talk->by_group, group_key(talk, id)) != MAP_NONE)
		return; /* that two calls of a message share it was found in the message */
	LIST_ROOM(talk->due, talk->due_count, talk->due_cap);
	map_set(&talk->by_group, group_key(talk, id), talk->due_count);
	talk->due[talk->due_count++] =
	    (struct talk_call){talk->ids.len, id.len, inspection->line, false};
	buf_add_str(&talk->ids, json_span(id));
}

void
talk_add_result(struct talk *talk, struct inspection *inspection, struct json_value id)
{
	uint64_t found =
	    id.type == JSON_STRING ? map_get(&talk->by_group, group_key(talk, id)) : MAP_NONE;

	if (found == MAP_NONE)
		inspection_find(inspection,
		    id.type == JSON_STRING && map_get(&talk->all, id_key(id)) != MAP_NONE ?
			VIOLATION_LATE_RESULT :
			VIOLATION_ORPHAN_RESULT,
		    id);
	else if (talk->due[found].is_answered)
		inspection_find(inspection, VIOLATION_SECOND_RESULT, id);
	else
		talk->due[found].is_answered = true;
}

/* In a message of the user, results must precede other blocks. */
static void
add_result_blocks(struct inspection *inspection, struct talk *talk, const struct message *message)
{
	bool is_behind = false;

	for (struct json_walk walk = json_walk_list(message->content); json_walk_next(&walk);) {
		struct json_value id = json_find(walk.value, STR("tool_use_id"));

		if (!json_has_type(walk.value, STR("tool_result")))
			is_behind = true;
		else if (is_behind)
			inspection_find(inspection, VIOLATION_LATE_RESULT, id);
		if (json_has_type(walk.value, STR("tool_result")))
			talk_add_result(talk, inspection, id);
	}
}

static void
add_calls(struct inspection *inspection, struct talk *talk, const struct message *message)
{
	bool alternates = inspection->dialect->alternates;
	struct json_value list = alternates ? message->content : message->tool_calls;

	talk->group++;
	for (struct json_walk walk = json_walk_list(list); json_walk_next(&walk);)
		if (!alternates || json_has_type(walk.value, STR("tool_use")))
			talk_add_call(talk, inspection, json_find(walk.value, STR("id")));
}

static void
judge_place(struct inspection *inspection, struct talk *talk, const struct message *message)
{
	bool alternates = inspection->dialect->alternates;
	bool is_midst = talk->is_begun || (alternates && talk->is_body);

	if (role_is_system(message->role) && is_midst && inspection->place != SYSTEMS_KEEP)
		inspection_find(inspection, VIOLATION_SYSTEM_IN_MIDST, message->role_value);
	if (alternates && message->role == talk->last)
		inspection_find(inspection, VIOLATION_SAME_ROLE, message->role_value);
	if (alternates && message->role == ROLE_ASSISTANT && !talk->is_begun)
		inspection_find(inspection, VIOLATION_ASSISTANT_FIRST, message->role_value);
}

/* Whether the text that the message ends with ends with blanks. */
static bool
ends_blank(const struct message *message)
{
	struct json_value text = message->content;
	struct str inner;

	for (struct json_walk walk = json_walk_list(message->content); json_walk_next(&walk);)
		text = json_has_type(walk.value, STR("text")) ? json_find(walk.value, STR("text")) :
								json_absent;
	if (text.type != JSON_STRING || text.len <= 2)
		return false;
	inner = json_inner(text);
	return json_trimmed_len(text) < inner.len;
}

void
talk_add(struct talk *talk, struct inspection *inspection, const struct message *message)
{
	bool alternates = inspection->dialect->alternates;

	inspection_judge(inspection, message);
	talk->messages++;
	if (inspection->dialect->follow != NULL) {
		inspection->dialect->follow(talk, inspection, message->value);
		return;
	}
	judge_place(inspection, talk, message);
	if (!alternates && message->role == ROLE_TOOL)
		talk_add_result(talk, inspection, message->tool_call_id);
	if (alternates && message->role == ROLE_USER)
		add_result_blocks(inspection, talk, message);
	if (alternates || message->role != ROLE_TOOL)
		talk_close_calls(talk, inspection);
	if (message->role == ROLE_ASSISTANT)
		add_calls(inspection, talk, message);
	talk->is_begun |= !role_is_system(message->role);
	talk->last = message->role;
	talk->line = inspection->line;
	talk->ends_blank = alternates && message->role == ROLE_ASSISTANT && ends_blank(message);
}

void
talk_free(struct talk *talk)
{
	free(talk->due);
	talk->due = NULL;
	buf_free(&talk->ids);
	map_free(&talk->by_group);
	map_free(&talk->all);
}

void
talk_end(struct talk *talk, struct inspection *inspection)
{
	talk_close_calls(talk, inspection);
	if (talk->ends_blank)
		inspection_find_at(
		    inspection, VIOLATION_TRAILING_BLANKS, &talk->line, STR("\"assistant\""));
	talk_free(talk);
}

void
talk_judge_list(struct inspection *inspection, struct json_value list, bool is_body)
{
	struct talk talk = {.is_body = is_body};
	struct message message;
	struct buf name = BUF_INIT;

	for (struct json_walk walk = json_walk_list(list); json_walk_next(&walk);) {
		message_parse(&message, json_span(walk.value));
		if (message.kind == RECORD_MESSAGE || inspection->dialect->follow != NULL)
			talk_add(&talk, inspection, &message);
		else
			inspection_find(inspection, VIOLATION_NO_MESSAGE, walk.value);
	}
	if (talk.messages == 0) {
		json_write_string(&name, inspection->dialect->request->messages);
		inspection_find_at(
		    inspection, VIOLATION_NO_MESSAGES, &inspection->line, buf_str(&name));
	}
	talk_end(&talk, inspection);
	buf_free(&name);
}
