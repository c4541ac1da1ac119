#include "face/agents/agent_calls.h"

#include "base/diag.h"
#include "face/input/document.h"
#include "json/members.h"
#include "json/string.h"

struct hash
agent_calls_key(struct str id)
{
	return hash_bytes(id, hash_seed(HASH_AGENT));
}

bool
agent_calls_may_note(struct str line)
{
	return str_find(line, STR("agent_")) != NULL || str_find(line, STR("spawn_agent")) != NULL;
}

static void
note_speaker(struct agent_calls *calls, struct json_value id)
{
	if (id.type == JSON_STRING)
		map_set(&calls->spoken, agent_calls_key(json_text(id, &calls->scratch)), 1);
}

static void
note_call(struct agent_calls *calls, const struct line *line, struct json_value id)
{
	struct agent_call call = {line->file, line->number, calls->ids.len, 0};

	if (id.type != JSON_STRING)
		return;
	json_decode(id, &calls->ids);
	call.len = calls->ids.len - call.at;
	buf_add(&calls->list, &call, sizeof call);
}

/* Notes the sub-agent that the output of spawn_agent names: a text, or parts with one, which is an
 * object of JSON. */
static void
note_output(struct agent_calls *calls, const struct line *line, struct json_value output)
{
	if (output.type == JSON_ARRAY)
		output = json_find(json_first(output), STR("text"));
	if (output.type == JSON_STRING &&
	    document_unfold(json_text(output, &calls->scratch), &calls->output))
		note_call(
		    calls, line, json_find(json_value_at(calls->output.ptr), STR("agent_id")));
}

static void
note_item(struct agent_calls *calls, const struct line *line, struct json_value item)
{
	struct json_value type = json_find(item, STR("type"));
	struct json_value id = json_find(item, STR("call_id"));

	if (id.type != JSON_STRING)
		return;
	if (json_is(json_find(item, STR("name")), STR("spawn_agent")))
		map_set(&calls->spawns, json_hash(id, hash_seed(HASH_CALL_ID)), 1);
	else if (json_is(type, STR("function_call_output")) &&
	    map_get(&calls->spawns, json_hash(id, hash_seed(HASH_CALL_ID))) != MAP_NONE)
		note_output(calls, line, json_find(item, STR("output")));
}

static void
note_event(struct agent_calls *calls, const struct line *line, struct json_value event)
{
	struct json_value type = json_find(event, STR("type"));

	if (json_is(type, STR("collab_agent_spawn_end")))
		note_call(calls, line, json_find(event, STR("new_thread_id")));
	else if (json_is(type, STR("sub_agent_activity")) &&
	    json_is(json_find(event, STR("kind")), STR("started")))
		note_call(calls, line, json_find(event, STR("agent_thread_id")));
}

static void
note_parts(struct agent_calls *calls, const struct line *line, struct json_value messages)
{
	for (struct json_walk message = json_walk_of(messages); json_walk_next(&message);) {
		for (struct json_walk part = json_walk_of(json_find(message.value, STR("parts")));
		     json_walk_next(&part);)
			if (json_is(json_find(part.value, STR("tool")), STR("task")))
				note_call(calls, line,
				    json_find(json_find(json_find(part.value, STR("state")),
						  STR("metadata")),
					STR("sessionId")));
	}
}

void
agent_calls_note(struct agent_calls *calls, const struct line *line, struct json_value record)
{
	struct json_value payload = json_find(record, STR("payload"));
	struct json_value type = json_find(record, STR("type"));
	struct json_value info = json_find(record, STR("info"));

	if (payload.type == JSON_OBJECT) {
		if (json_is(type, STR("session_meta")))
			note_speaker(calls, json_find(payload, STR("id")));
		else if (json_is(type, STR("event_msg")))
			note_event(calls, line, payload);
		else if (json_is(type, STR("response_item")))
			note_item(calls, line, payload);
	} else if (info.type == JSON_OBJECT) {
		note_speaker(calls, json_find(info, STR("id")));
		note_parts(calls, line, json_find(record, STR("messages")));
	} else {
		note_speaker(calls, json_find(record, STR("agentId")));
		note_call(calls, line,
		    json_find(json_find(record, STR("toolUseResult")), STR("agentId")));
	}
}

size_t
agent_calls_count(const struct agent_calls *calls)
{
	return calls->list.len / sizeof(struct agent_call);
}

static struct agent_call
call_at(const struct agent_calls *calls, size_t number)
{
	return ((const struct agent_call *)calls->list.ptr)[number];
}

struct str
agent_calls_id(const struct agent_calls *calls, size_t number)
{
	struct agent_call call = call_at(calls, number);

	return str_of(calls->ids.ptr + call.at, call.len);
}

void
agent_calls_say(struct agent_calls *calls, const struct map *found)
{
	for (size_t i = 0; i < agent_calls_count(calls); i++) {
		struct agent_call call = call_at(calls, i);
		struct str id = agent_calls_id(calls, i);
		struct hash key = agent_calls_key(id);

		if (map_get(found, key) != MAP_NONE || map_set(&calls->spoken, key, 1) != MAP_NONE)
			continue;
		diag_warn_at(call.file, call.line,
		    "the sub-agent '%.*s' has no file beside the session", STR_ARG(id));
	}
}

void
agent_calls_free(struct agent_calls *calls)
{
	buf_free(&calls->list);
	buf_free(&calls->ids);
	buf_free(&calls->scratch);
	buf_free(&calls->output);
	map_free(&calls->spoken);
	map_free(&calls->spawns);
}
