#include "dialects/checker.h"

#include <stdlib.h>

#include "base/hash/hash.h"
#include "base/list.h"
#include "dialects/request/request.h"
#include "json/canon.h"
#include "json/string.h"

/* A call that waits for its result. */
struct due {
	size_t at; /* of its id in the ids of the conversation, as JSON */
	size_t len;
	bool is_answered;
};

/* A conversation so far. */
struct talk {
	bool is_begun;    /* a message of another role than system came */
	bool is_body;     /* of a request: its system prompt stands beside it */
	enum role last;   /* role of the message before; ROLE_OTHER: none */
	struct line line; /* of the message before */
	bool ends_blank;  /* the message before is the assistant's and ends with blanks */
	uint64_t messages;
	uint64_t group; /* counts messages with calls */
	struct due *due;
	uint32_t due_count;
	uint32_t due_cap;
	struct line due_line;
	struct buf ids;
	struct map by_group; /* (group, id) -> index in due */
	struct map all;      /* every id of a call */
};

static void
find(struct checker *checker, enum violation violation, const struct line *line, struct str subject)
{
	struct violation_finding finding = {
	    violation, line->file, line->number, subject.len > 0 ? subject : STR("\"\"")};

	checker->count[violation]++;
	violation_list_add(&checker->findings, &finding);
}

static void
find_here(struct checker *checker, enum violation violation, struct json_value subject)
{
	find(checker, violation, &checker->line,
	    subject.type == JSON_ABSENT ? STR("") : json_span(subject));
}

static void
find_refusals(struct checker *checker, const struct refusals *refusals)
{
	for (enum violation v = 0; v < VIOLATION_COUNT; v++)
		if ((refusals->found & refusals_bit(v)) != 0)
			find_here(checker, v, refusals->subject[v]);
}

/* --- Calls and results --- */

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

/* Whatever comes next is no result: calls that have none will get none. */
static void
close_calls(struct checker *checker, struct talk *talk)
{
	for (uint32_t i = 0; i < talk->due_count; i++)
		if (!talk->due[i].is_answered)
			find(checker, VIOLATION_UNANSWERED_CALL, &talk->due_line,
			    str_of(talk->ids.ptr + talk->due[i].at, talk->due[i].len));
	talk->due_count = 0;
	buf_reset(&talk->ids);
	map_free(&talk->by_group);
}

static void
add_call(struct checker *checker, struct talk *talk, struct json_value id)
{
	bool is_repeated;

	if (id.type != JSON_STRING)
		return;
	is_repeated = map_set(&talk->all, id_key(id), 1) != MAP_NONE;
	if (is_repeated && checker->dialect->alternates)
		find_here(checker, VIOLATION_REPEATED_CALL_ID, id);
	if (map_get(&talk->by_group, group_key(talk, id)) != MAP_NONE)
		return; /* that two calls of a message share it was found in the message */
	LIST_ROOM(talk->due, talk->due_count, talk->due_cap);
	map_set(&talk->by_group, group_key(talk, id), talk->due_count);
	talk->due[talk->due_count++] = (struct due){talk->ids.len, id.len, false};
	buf_add_str(&talk->ids, json_span(id));
}

static void
add_result(struct checker *checker, struct talk *talk, struct json_value id)
{
	uint64_t found =
	    id.type == JSON_STRING ? map_get(&talk->by_group, group_key(talk, id)) : MAP_NONE;

	if (found == MAP_NONE)
		find_here(checker,
		    id.type == JSON_STRING && map_get(&talk->all, id_key(id)) != MAP_NONE ?
			VIOLATION_LATE_RESULT :
			VIOLATION_ORPHAN_RESULT,
		    id);
	else if (talk->due[found].is_answered)
		find_here(checker, VIOLATION_SECOND_RESULT, id);
	else
		talk->due[found].is_answered = true;
}

static bool
is_block(struct json_value block, const char *type)
{
	return json_is(json_find(block, STR("type")), str_from(type));
}

/* The results of a message of the user stand in front of its other blocks. */
static void
add_result_blocks(struct checker *checker, struct talk *talk, const struct message *message)
{
	struct json_walk walk;
	bool is_behind = false;

	json_walk_open(&walk, message->content);
	while (message->content.type == JSON_ARRAY && json_walk_next(&walk)) {
		struct json_value id = json_find(walk.value, STR("tool_use_id"));

		if (!is_block(walk.value, "tool_result"))
			is_behind = true;
		else if (is_behind)
			find_here(checker, VIOLATION_LATE_RESULT, id);
		if (is_block(walk.value, "tool_result"))
			add_result(checker, talk, id);
	}
}

static void
add_calls(struct checker *checker, struct talk *talk, const struct message *message)
{
	bool alternates = checker->dialect->alternates;
	struct json_value list = alternates ? message->content : message->tool_calls;
	struct json_walk walk;

	talk->group++;
	talk->due_line = checker->line;
	json_walk_open(&walk, list);
	while (list.type == JSON_ARRAY && json_walk_next(&walk))
		if (!alternates || is_block(walk.value, "tool_use"))
			add_call(checker, talk, json_find(walk.value, STR("id")));
}

/* --- The order of roles --- */

static void
judge_place(struct checker *checker, struct talk *talk, const struct message *message)
{
	bool alternates = checker->dialect->alternates;
	bool is_midst = talk->is_begun || (alternates && talk->is_body);

	if (role_is_system(message->role) && is_midst && checker->place != SYSTEMS_KEEP)
		find_here(checker, VIOLATION_SYSTEM_IN_MIDST, message->role_value);
	if (alternates && message->role == talk->last)
		find_here(checker, VIOLATION_SAME_ROLE, message->role_value);
	if (alternates && message->role == ROLE_ASSISTANT && !talk->is_begun)
		find_here(checker, VIOLATION_ASSISTANT_FIRST, message->role_value);
}

/* Whether the text that the message ends with ends with blanks. */
static bool
ends_blank(const struct message *message)
{
	struct json_value text = message->content;
	struct json_walk walk;
	struct str inner;

	json_walk_open(&walk, message->content);
	while (message->content.type == JSON_ARRAY && json_walk_next(&walk))
		text = is_block(walk.value, "text") ? json_find(walk.value, STR("text")) :
						      (struct json_value){0};
	if (text.type != JSON_STRING || text.len <= 2)
		return false;
	inner = json_inner(text);
	return json_trimmed_len(text) < inner.len;
}

static void
judge_message(struct checker *checker, struct talk *talk, const struct message *message)
{
	bool alternates = checker->dialect->alternates;
	struct refusals refusals;

	refusals.found = 0;
	checker->dialect->judge(message, &refusals);
	find_refusals(checker, &refusals);
	judge_place(checker, talk, message);
	if (!alternates && message->role == ROLE_TOOL)
		add_result(checker, talk, message->tool_call_id);
	if (alternates && message->role == ROLE_USER)
		add_result_blocks(checker, talk, message);
	if (alternates || message->role != ROLE_TOOL)
		close_calls(checker, talk);
	if (message->role == ROLE_ASSISTANT)
		add_calls(checker, talk, message);
	talk->messages++;
	talk->is_begun |= !role_is_system(message->role);
	talk->last = message->role;
	talk->line = checker->line;
	talk->ends_blank = alternates && message->role == ROLE_ASSISTANT && ends_blank(message);
}

static void
end_talk(struct checker *checker, struct talk *talk)
{
	close_calls(checker, talk);
	if (talk->ends_blank)
		find(checker, VIOLATION_TRAILING_BLANKS, &talk->line, STR("\"assistant\""));
	free(talk->due);
	buf_free(&talk->ids);
	map_free(&talk->all);
}

static void
judge_list(struct checker *checker, struct json_value list, bool is_body)
{
	struct talk talk = {.is_body = is_body};
	struct message message;
	struct json_walk walk;

	json_walk_open(&walk, list);
	while (list.type == JSON_ARRAY && json_walk_next(&walk)) {
		message_parse(&message, json_span(walk.value));
		if (message.kind == RECORD_MESSAGE)
			judge_message(checker, &talk, &message);
		else
			find_here(checker, VIOLATION_NO_MESSAGE, walk.value);
	}
	if (talk.messages == 0)
		find(checker, VIOLATION_NO_MESSAGES, &checker->line, STR("\"messages\""));
	end_talk(checker, &talk);
}

/* --- Requests --- */

/* Whether the JSON in text, which the writer made, is the value. */
static bool
is_same(struct checker *checker, struct json_value value)
{
	buf_pad(&checker->text);
	for (int i = 0; i < 2; i++)
		buf_reset(&checker->canon[i]);
	json_canon(value, &checker->canon[0], &checker->arena);
	json_canon(json_value_at(checker->text.ptr), &checker->canon[1], &checker->arena);
	arena_reset(&checker->arena);
	return str_eq(buf_str(&checker->canon[0]), buf_str(&checker->canon[1]));
}

/* A tool that the writer would leave as it is, the API takes. */
static void
judge_tools(struct checker *checker, struct json_value tools)
{
	struct json_walk walk;

	if (tools.type == JSON_ABSENT)
		return;
	if (tools.type != JSON_ARRAY || tools.len <= 2)
		find_here(checker, VIOLATION_BAD_TOOL, tools);
	json_walk_open(&walk, tools);
	while (tools.type == JSON_ARRAY && json_walk_next(&walk)) {
		buf_reset(&checker->text);
		if (!checker->dialect->request->write_tool(walk.value, &checker->text) ||
		    !is_same(checker, walk.value))
			find_here(checker, VIOLATION_BAD_TOOL, walk.value);
	}
}

/* The same for the format of the answer, under the name that the writer gives it. */
static void
judge_format(struct checker *checker, struct json_value request)
{
	const struct request_api *api = checker->dialect->request;
	struct json_value config = json_find(request, STR("output_config"));
	struct json_value format = json_find(request, STR("response_format"));
	struct json_walk walk;
	struct json_writer w;
	bool is_written;

	if (config.type == JSON_OBJECT && api->has_system)
		format = json_find(config, STR("format"));
	if (format.type == JSON_ABSENT)
		return;
	buf_reset(&checker->text);
	json_writer_init(&w, &checker->text);
	json_open(&w, '{');
	is_written = api->put_format(format, (struct json_value){0}, &w);
	json_close(&w);
	buf_pad(&checker->text);
	json_walk_open(&walk, json_value_at(checker->text.ptr));
	if (is_written && json_walk_next(&walk)) {
		struct json_value written = walk.value;
		struct buf copy = BUF_INIT;

		if (api->has_system)
			written = json_find(written, STR("format"));
		buf_add_str(&copy, json_span(written));
		buf_reset(&checker->text);
		buf_add_str(&checker->text, buf_str(&copy));
		buf_free(&copy);
		is_written = is_same(checker, format);
	}
	if (!is_written)
		find(checker, VIOLATION_BAD_FORMAT, &checker->line, STR("\"response_format\""));
}

static void
judge_members(struct checker *checker, struct json_value request)
{
	const struct request_api *api = checker->dialect->request;
	struct json_value model = json_find(request, STR("model"));
	struct refusals refusals;

	refusals.found = 0;
	refusals_add_unknown(&refusals, request, api->member, api->count);
	find_refusals(checker, &refusals);
	if (model.type != JSON_STRING || model.len <= 2)
		find(checker, VIOLATION_NO_MODEL, &checker->line, STR("\"model\""));
	if (api->needs_max_tokens && json_find(request, STR("max_tokens")).type != JSON_NUMBER)
		find(checker, VIOLATION_NO_MAX_TOKENS, &checker->line, STR("\"max_tokens\""));
}

static void
judge_system(struct checker *checker, struct json_value system)
{
	struct message message;
	struct refusals refusals;

	if (system.type == JSON_ABSENT || !checker->dialect->request->has_system)
		return;
	dialect_write_system(&checker->text, system);
	buf_pad(&checker->text);
	message_parse(&message, buf_str(&checker->text));
	refusals.found = 0;
	checker->dialect->judge(&message, &refusals);
	find_refusals(checker, &refusals);
}

static void
judge_request(struct checker *checker, struct json_value request)
{
	judge_members(checker, request);
	judge_system(checker, json_find(request, STR("system")));
	judge_list(checker, json_find(request, STR("messages")), true);
	judge_tools(checker, json_find(request, STR("tools")));
	judge_format(checker, request);
}

static void
take(struct stage *stage, struct record *record)
{
	struct checker *checker = (struct checker *)stage;
	struct message read;
	struct json_value value;

	if (record->kind == RECORD_BAD || record->kind == RECORD_BLANK)
		return;
	checker->line = (struct line){.file = record->line.file, .number = record->line.number};
	value = record_message(record, &read)->value;
	if (record->kind == RECORD_MESSAGE)
		judge_message(checker, checker->lines, record->message);
	else if (value.type == JSON_ARRAY)
		judge_list(checker, value, false);
	else if (json_find(value, STR("messages")).type == JSON_ARRAY)
		judge_request(checker, value);
	else
		find_here(checker, VIOLATION_NO_MESSAGE, json_find(value, STR("type")));
}

static void
end(struct stage *stage)
{
	struct checker *checker = (struct checker *)stage;

	end_talk(checker, checker->lines);
	free(checker->lines);
	checker->lines = NULL;
}

void
checker_init(struct checker *checker, const struct dialect *dialect, enum systems_place place)
{
	*checker = (struct checker){
	    .stage = {.take = take, .end = end}, .dialect = dialect, .place = place};
	checker->lines = mem_alloc(1, sizeof *checker->lines);
	*checker->lines = (struct talk){.is_body = false};
}

void
checker_free(struct checker *checker)
{
	free(checker->lines);
	buf_free(&checker->findings);
	buf_free(&checker->text);
	buf_free(&checker->canon[0]);
	buf_free(&checker->canon[1]);
	arena_free(&checker->arena);
}
