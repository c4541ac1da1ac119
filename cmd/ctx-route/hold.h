#ifndef CTX_ROUTE_HOLD_H
#define CTX_ROUTE_HOLD_H

/*
 * Records whose fate is open, and those behind them, in the order of the stream: the candidate for
 * the final response, or, when buffers are dropped, the execution from its first trace on. The
 * hold owns copies of their bytes.
 *
 *     record   [trace | trace | candidate | foreign]     written, or dropped, all at once
 */

#include "face/filter.h"

#define HOLD_NONE SIZE_MAX

struct held {
	struct entry entry;    /* its bytes and kind, and whether it is dropped; nothing derived */
	bool may_drop;         /* it stands in the buffer of its execution */
};

struct hold {
	struct held *record;
	size_t count;
	size_t cap;
	size_t candidate;      /* a record, or HOLD_NONE */
	struct arena arena;
};

void hold_init(struct hold *hold);

/* Adds a record with its text as it is to leave, which need not be the line's. */
struct held *hold_add(struct hold *hold, const struct line *line, enum record_kind kind,
    struct str text);

/* Gives a record new text. */
void hold_replace(struct hold *hold, struct held *held, struct str text);

/* Drops what may be, since the execution is over; agent is whose it was. Groups that are pinned,
 * unanswered, unresolved or frozen by a bad line stay. With is_start (no message has left yet) so
 * does the first message, or its group, if another agent's would be the first without it. */
void hold_drop(struct hold *hold, struct str agent, bool is_start);

/* Writes what was not dropped and forgets all; returns how many records were dropped. */
size_t hold_write(struct hold *hold, struct filter *filter);

void hold_free(struct hold *hold);

#endif
