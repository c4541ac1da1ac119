#ifndef INSTRUCTOR_INSTRUCTOR_ORDER_H
#define INSTRUCTOR_INSTRUCTOR_ORDER_H

/*
 * The order in which a store of instructor is read: the sections as a model is shown them, which is
 * the order of time, and the trace where it stood (instructor_trace.h). The messages are put into
 * this order before the repair looks at them. Else what was written would be repaired once more
 * when it is read.
 */

#include "dialects/dialect.h"

/* Sections of other names stand before the conversation. */
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

/* Which section a message is of, in a stream. A result is of that of its call. */
struct instructor_order_section {
	struct buf of_calls; /* of the last message with calls, a JSON string; or empty */
};

/* The section of the next message, a JSON string; absent: messages. Valid until the next call. */
struct json_value instructor_order_section(
    struct instructor_order_section *section, const struct message *message);

#endif
