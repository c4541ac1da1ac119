#ifndef CTX_ROUTE_HOLD_H
#define CTX_ROUTE_HOLD_H

/*
 * Records whose fate is open, and all records behind them, in the order of the stream. Open is the
 * fate of the candidate for the final response; when buffers are dropped, that of the whole
 * execution from its first trace on.
 *
 *     record   [trace | trace | candidate | foreign]     written, or dropped, all at once
 */

#include "data/session/session.h"
#include "data/stage.h"

#define HOLD_NONE SIZE_MAX

struct held_step_record {
	struct record record;
	uint32_t first_call; /* the walk's number of its first call */
	bool may_drop;       /* the record is in the buffer of its execution */
	bool is_dropped;
};

struct held_step {
	struct held_step_record *record;
	size_t count;
	size_t cap;
	size_t candidate; /* the index of a record, or HOLD_NONE */
	struct map gone;  /* numbers of dropped calls that had no result */
};

void held_step_init(struct held_step *hold);

/* Adds the record, with its edit applied. first_call is the walk's number of its first call. */
struct held_step_record *held_step_add(
    struct held_step *hold, const struct record *record, uint32_t first_call);

/* Applies one more edit to a held record. */
void held_step_change(struct held_step_record *held, struct json_edit *edit);

/* Drops the records that may be dropped, since the execution is over. Of walk, the walk over the
 * stream, only the agent and the steering are read. Groups that are pinned, unresolved or frozen by
 * a bad line stay, and so do calls without a result that are not said to be resolved. is_start
 * says that no message was emitted yet: then the first message, or its group, stays too if without
 * it the first message would be another agent's. */
void held_step_drop(struct held_step *hold, const struct walk *walk, bool is_start);

/* Whether the result of the call of that number must go, since the call was dropped without it. */
bool held_step_has_dropped(struct held_step *hold, uint32_t call);

/* Emits the records that were not dropped, and empties the hold. Returns the number of dropped
 * records. */
size_t held_step_emit(struct held_step *hold, struct stage *stage);

void held_step_free(struct held_step *hold);

#endif
