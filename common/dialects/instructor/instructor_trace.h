#ifndef INSTRUCTOR_INSTRUCTOR_TRACE_H
#define INSTRUCTOR_INSTRUCTOR_TRACE_H

/*
 * Where the trace of a store stands in time. A store has the trace of all executions in a section
 * of its own, behind the conversation; it came before the final response of its execution:
 *
 *     messages: q1 a1 q2 a2    execution_buffer: t1 t2    ->    q1 t1 a1 q2 t2 a2
 *
 * Trace of an execution without a final response stays behind. Both sections keep their order, so
 * that a store which is written again is the same.
 */

#include "base/hash/hash.h"
#include "json/members.h"

struct instructor_trace {
	struct json_value *message; /* those of the execution_buffer */
	uint32_t *place;            /* before which of the conversation's each one stands */
	uint32_t count, cap, place_cap;
	uint32_t next; /* the first that was not taken yet */
};

#define INSTRUCTOR_TRACE_INIT \
	{ \
		.count = 0 \
	}

/* Finds the places of the trace among the messages; both are arrays of JSON, which must outlive
 * trace. Takes linear time. */
void instructor_trace_open(
    struct instructor_trace *trace, struct json_value messages, struct json_value buffer);

/* Takes the next message of the trace that stands before the conversation's message with that
 * index; UINT32_MAX: any. Returns false when there is none. */
bool instructor_trace_next(
    struct instructor_trace *trace, uint32_t index, struct json_value *message);

void instructor_trace_free(struct instructor_trace *trace);

#endif
