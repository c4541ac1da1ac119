#ifndef CTX_ROUTE_HELD_STEP_H
#define CTX_ROUTE_HELD_STEP_H

/*
 * Records whose fate is not known, and all records after them: the candidate for the final
 * response; when buffers are dropped, the whole execution from its first trace on.
 *
 *     queue   [trace | trace | candidate | foreign]     all leave at once
 *
 * A record is final until it is dropped.
 */

#include "base/hash/map.h"
#include "data/queue.h"
#include "data/session/session.h"

struct held_step_record {
	struct queue_item held;
	uint32_t first_call; /* the walk's number of its first call */
	bool may_drop;       /* the record is in the buffer of its execution */
};

struct held_step {
	struct queue queue;
	size_t candidate; /* the number of a record, or QUEUE_NONE */
	struct map gone;  /* numbers of dropped calls that had no result */
};

void held_step_init(struct held_step *hold);

/* Applies one more edit to a held record. */
void held_step_change(struct record *held, struct json_edit *edit);

/* Drops the records that may be dropped, since the execution is over. Of walk, the walk over the
 * stream, only the agent and the steering are read. Groups that are pinned, unresolved or frozen by
 * a bad line stay, and so do calls without a result that are not marked as resolved. is_start says
 * that no message was emitted yet: then the first message, with its group, also stays if otherwise
 * the first message would be another agent's. */
void held_step_drop(struct held_step *hold, const struct walk *walk, bool is_start);

/* Whether the result of the call of that number must be dropped, since the call was dropped without
 * it. */
bool held_step_has_dropped(struct held_step *hold, uint32_t call);

void held_step_free(struct held_step *hold);

#endif
