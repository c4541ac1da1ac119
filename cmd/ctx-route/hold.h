#ifndef CTX_ROUTE_HOLD_H
#define CTX_ROUTE_HOLD_H

/*
 * Records whose fate is open, and those behind them, in the order of the stream: the candidate for
 * the final response, or, when buffers are dropped, the execution from its first trace on.
 *
 *     record   [trace | trace | candidate | foreign]     written, or dropped, all at once
 */

#include "data/session.h"
#include "data/stage.h"

#define HOLD_NONE SIZE_MAX

struct held {
	struct record record;
	bool may_drop; /* it stands in the buffer of its execution */
	bool is_dropped;
};

struct hold {
	struct held *record;
	size_t count;
	size_t cap;
	size_t candidate; /* a record, or HOLD_NONE */
};

void hold_init(struct hold *hold);

/* Adds a record as it is to leave, its edit applied. */
struct held *hold_add(struct hold *hold, const struct record *record);

/* Applies one more edit to a record. */
void hold_change(struct held *held, struct json_edit *edit);

/* Drops what may be, since the execution is over; agent is whose it was. Groups that are pinned,
 * unanswered, unresolved or frozen by a bad line stay. With is_start (no message has left yet) so
 * does the first message, or its group, if another agent's would be the first without it. */
void hold_drop(struct hold *hold, struct str agent, bool is_start);

/* Emits what was not dropped and forgets all; returns how many records were dropped. */
size_t hold_emit(struct hold *hold, struct stage *stage);

void hold_free(struct hold *hold);

#endif
