#include "dialects/instructor/instructor_trace.h"

#include <stdlib.h>

#include "base/list.h"
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

void
instructor_trace_add_said(struct instructor_trace *trace, const struct message *message)
{
	struct hash key;

	if (message->role == ROLE_ASSISTANT && !message_has_calls(message) &&
	    find_execution(message, &key))
		map_set(&trace->response, key, trace->said);
	trace->said++;
}

void
instructor_trace_add(struct instructor_trace *trace, const struct message *message)
{
	uint64_t found = MAP_NONE;
	struct hash key;

	if (find_execution(message, &key))
		found = map_get(&trace->response, key);
	LIST_ADD(trace->place, trace->count, trace->cap,
	    found == MAP_NONE ? UINT32_MAX : (uint32_t)found);
}

void
instructor_trace_settle(struct instructor_trace *trace)
{
	uint32_t last = UINT32_MAX;

	for (uint32_t i = trace->count; i > 0; i--) {
		if (trace->place[i - 1] > last)
			trace->place[i - 1] = last;
		last = trace->place[i - 1];
	}
}

bool
instructor_trace_next(struct instructor_trace *trace, uint32_t index)
{
	bool is_next = trace->next < trace->count && trace->place[trace->next] <= index;

	trace->next += is_next;
	return is_next;
}

void
instructor_trace_free(struct instructor_trace *trace)
{
	free(trace->place);
	map_free(&trace->response);
}
