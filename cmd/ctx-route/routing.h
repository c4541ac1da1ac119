#ifndef CTX_ROUTE_ROUTING_H
#define CTX_ROUTE_ROUTING_H

/*
 * The stage that routes. Each message gets the members that policy/route.h says it lacks, and the
 * order of the stream stays: a record that must wait is held, and so are all records behind it.
 */

#include "face/options.h"
#include "hold.h"
#include "policy/route.h"
#include "rules.h"
#include "unanswered.h"

struct routing {
	struct stage stage;
	struct route route;
	struct hold hold;
	bool is_ephemeral;                 /* buffers are dropped when their execution is over */
	bool drops_buffers;                /* each message of a buffer is dropped at once */
	bool has_begun;                    /* a message was emitted, or is in the log */
	uint32_t log_calls;                /* calls of the log stay, and so must their results */
	const struct option_list *resolve; /* ids of failures */
	uint64_t resolved;                 /* a bit for each id that named a failure */
	const struct rules *rules;         /* the stage before this one */
	struct unanswered unanswered;      /* calls that may become failures that --resolve names */
	size_t dropped;
	struct message message;
	struct json_edit edit; /* the edit of the message in hand */
};

void routing_init(struct routing *routing);

/* Takes a message of the log that the stream continues. All messages of the log come before the
 * stream's first record. */
void routing_recall(struct routing *routing, struct record *record);

void routing_free(struct routing *routing);

#endif
