#ifndef CTX_ROUTE_ROUTING_H
#define CTX_ROUTE_ROUTING_H

/*
 * The way of records from the filter's input to its output: each message with the members that
 * policy/route.h says it lacks, in the order of the stream. What must wait waits in the hold, and
 * all that comes after it behind it.
 */

#include "hold.h"
#include "policy/route.h"

struct routing {
	struct filter filter;
	struct route route;
	struct hold hold;
	bool is_ephemeral;             /* buffers are dropped when their execution is over */
	bool drops_buffers;            /* all that is in a buffer is dropped at once */
	const struct option_list *resolve; /* ids of failures */
	bool is_resolved[OPTION_LIST_MAX]; /* the id named one */
	size_t dropped;
	struct buf text;
	struct json_edit edit;         /* of one message */
};

/* Takes the current record of the filter, which is a message. */
void routing_take(struct routing *routing);

/* Writes the current record behind what is held; with new text unless that is NULL. */
void routing_put(struct routing *routing, const struct buf *text);

/* Writes what is held at the end of the input; says which ids named no failure. */
void routing_end(struct routing *routing);

void routing_free(struct routing *routing);

#endif
