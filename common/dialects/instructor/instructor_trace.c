#include "dialects/instructor/instructor_trace.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/message/message.h"
#include "json/string.h"

/* The execution that the message names; false when it names none. */
static bool
find_execution(const struct message *message, struct hash *key)
{
	struct json_value id = message->meta[METADATA_EXECUTION_ID];

	if (message->kind != RECORD_MESSAGE || id.type != JSON_STRING)
		return false;
	*key = json_hash(id, hash_seed(HASH_LABEL));
	return true;
}

/* Notes of each execution which of the messages is its final response. */
static void
find_responses(struct json_value messages, struct map *response)
{
	struct message message;
	struct hash key;
	uint32_t index = 0;

	for (struct json_walk walk = json_walk_of(messages); json_walk_next(&walk); index++) {
		message_parse(&message, json_span(walk.value));
		if (message.role == ROLE_ASSISTANT && !message_has_calls(&message) &&
		    find_execution(&message, &key))
			map_set(response, key, index);
	}
}

void
instructor_trace_open(
    struct instructor_trace *trace, struct json_value messages, struct json_value buffer)
{
	struct map response = MAP_INIT;
	struct message message;
	struct hash key;
	uint32_t last = UINT32_MAX;

	find_responses(messages, &response);
	for (struct json_walk walk = json_walk_of(buffer); json_walk_next(&walk);) {
		uint64_t found = MAP_NONE;

		message_parse(&message, json_span(walk.value));
		if (find_execution(&message, &key))
			found = map_get(&response, key);
		LIST_ROOM(trace->message, trace->count, trace->cap);
		LIST_ROOM(trace->place, trace->count, trace->place_cap);
		trace->message[trace->count] = walk.value;
		trace->place[trace->count++] = found == MAP_NONE ? UINT32_MAX : (uint32_t)found;
	}
	for (uint32_t i = trace->count; i > 0; i--) {
		if (trace->place[i - 1] > last)
			trace->place[i - 1] = last;
		last = trace->place[i - 1];
	}
	map_free(&response);
}

bool
instructor_trace_next(struct instructor_trace *trace, uint32_t index, struct json_value *message)
{
	if (trace->next == trace->count || trace->place[trace->next] > index)
		return false;
	*message = trace->message[trace->next++];
	return true;
}

void
instructor_trace_free(struct instructor_trace *trace)
{
	free(trace->message);
	free(trace->place);
}
