#ifndef INSTRUCTOR_INSTRUCTOR_ORDER_H
#define INSTRUCTOR_INSTRUCTOR_ORDER_H

/*
 * The order in which a store of instructor is read: the sections in the order in which a model sees
 * them, which is the order of time, with the trace at its place in time (instructor_trace.h). The
 * messages are put into this order before the repair; otherwise the written store would be repaired
 * again when it is read.
 */

#include "dialects/dialect.h"

/* Sections of other names come before the conversation. */
enum {
	INSTRUCTOR_RANK_OTHERS = 2,
	INSTRUCTOR_RANK_MESSAGES,
	INSTRUCTOR_RANK_TRACE,
	INSTRUCTOR_RANKS
};

/* The rank of a section by its name, a JSON string, from 0. */
unsigned instructor_order_rank(struct json_value name);

/* Makes the stage that orders the messages of each session. It holds one session. */
struct dialect_stage *instructor_order(void);

/* Finds the section of each message of a stream. A result is in the section of its call. */
struct instructor_order_section {
	/* the section of the last message with calls, a JSON string; or empty */
	struct buf of_calls;
};

/* The section of the next message, a JSON string; absent: messages. Valid until the next call. */
struct json_value instructor_order_section(
    struct instructor_order_section *section, const struct message *message);

#endif
