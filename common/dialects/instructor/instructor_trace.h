#ifndef INSTRUCTOR_INSTRUCTOR_TRACE_H
#define INSTRUCTOR_INSTRUCTOR_TRACE_H

/*
 * The place of a store's trace in time. A store has the trace of all executions in a section of its
 * own, after the conversation; in time, the trace came before the final response of its execution:
 *
 *     messages: q1 a1 q2 a2    execution_buffer: t1 t2    ->    q1 t1 a1 q2 t2 a2
 *
 * Trace of an execution without a final response stays at the end. Both sections keep their order,
 * so that writing the store again gives the same bytes.
 */

#include "base/hash/map.h"
#include "data/message/message.h"

struct instructor_trace {
	struct map response; /* execution -> the index of its final response in the conversation */
	uint32_t said;       /* messages of the conversation */
	uint32_t *place;     /* for each trace message, the index of the message that it precedes */
	uint32_t count, cap;
	uint32_t next; /* the first trace message not yet taken */
};

#define INSTRUCTOR_TRACE_INIT \
	{ \
		.response = MAP_INIT \
	}

/* Notes the next message of the conversation. All of these must be noted before the trace. */
void instructor_trace_add_said(struct instructor_trace *trace, const struct message *message);

/* Notes the next message of the trace. */
void instructor_trace_add(struct instructor_trace *trace, const struct message *message);

/* Finds the places of the trace, when all messages are noted. Takes linear time. */
void instructor_trace_settle(struct instructor_trace *trace);

/* Takes the next message of the trace if its place is before the conversation's message of that
 * index; UINT32_MAX takes any. Returns whether it was taken. */
bool instructor_trace_next(struct instructor_trace *trace, uint32_t index);

void instructor_trace_free(struct instructor_trace *trace);

#endif
