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
#include "data/message/message.h"

struct instructor_trace {
	struct map response; /* of an execution: which message of the conversation */
	uint32_t said;       /* messages of the conversation */
	uint32_t *place;     /* before which of them each one of the trace stands */
	uint32_t count, cap;
	uint32_t next; /* the first that was not taken yet */
};

#define INSTRUCTOR_TRACE_INIT \
	{ \
		.response = MAP_INIT \
	}

/* Notes the next message of the conversation, all of which come before the trace. */
void instructor_trace_add_said(struct instructor_trace *trace, const struct message *message);

/* Notes the next message of the trace. */
void instructor_trace_add(struct instructor_trace *trace, const struct message *message);

/* Finds the places of the trace, when all messages are noted. Takes linear time. */
void instructor_trace_settle(struct instructor_trace *trace);

/* Takes the next message of the trace, if it stands before the conversation's message with that
 * index; UINT32_MAX: before any. */
bool instructor_trace_next(struct instructor_trace *trace, uint32_t index);

void instructor_trace_free(struct instructor_trace *trace);

#endif
