#ifndef CTX_ROUTE_ROUTING_H
#define CTX_ROUTE_ROUTING_H

/*
 * The stage that routes: each message gets the members that policy/route.h says it lacks, in the
 * order of the stream. What must wait waits in the hold, and all that comes after it behind it.
 */

#include "face/options.h"
#include "hold.h"
#include "policy/route.h"

struct routing {
	struct stage stage;
	struct route route;
	struct hold hold;
	bool is_ephemeral;                 /* buffers are dropped when their execution is over */
	bool drops_buffers;                /* all that is in a buffer is dropped at once */
	bool has_begun;                    /* a message was emitted, or stands in the log */
	uint32_t log_calls;                /* calls of the log: their results stay, as they do */
	const struct option_list *resolve; /* ids of failures */
	bool is_resolved[OPTION_LIST_MAX]; /* the id named one */
	size_t dropped;
	struct message message;
	struct json_edit edit; /* of one message */
};

void routing_init(struct routing *routing);

/* Takes a message of the log that the stream continues; call before the first record. */
void routing_recall(struct routing *routing, struct record *record);

void routing_free(struct routing *routing);

#endif
