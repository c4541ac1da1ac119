#ifndef NORMALIZE_REPAIR_QUEUE_H
#define NORMALIZE_REPAIR_QUEUE_H

/*
 * The records that a repair holds, and the rule by which they are emitted: results directly after
 * their calls, in the order of the calls, and no record before the whole of a group that still
 * waits.
 */

#include "data/queue.h"
#include "policy/normalize/pairs.h"

struct repair_queue {
	struct stage *stage; /* which emits */
	struct pairs *pairs;
	struct queue queue; /* an open record waits, a gone one was emitted or goes */
	bool whole;         /* messages of other agents go */
	bool drops_open;    /* calls wait for their results: they may yet go */
	uint64_t outside;   /* messages of other agents that went */
};

/* A message that waits, or another record, which is final. */
struct repair_queue_item {
	struct queue_item held;
	struct pair_fact fact; /* of a message */
};

/* Emits the record; drops it if it is outside and whole is set. */
void repair_queue_emit(struct repair_queue *waiting, struct record *record, bool is_outside);

/* Emits a message that waits. */
void repair_queue_emit_item(struct repair_queue *waiting, struct repair_queue_item *item);

/* Emits the waiting records, as far as they can go. A bad line may still freeze a group that is not
 * whole, so nothing of the group is moved before it is whole. */
void repair_queue_pump(struct repair_queue *waiting);

/* Emits the message, or lets it wait. */
void repair_queue_add(
    struct repair_queue *waiting, struct record *record, const struct pair_fact *fact);

#endif
