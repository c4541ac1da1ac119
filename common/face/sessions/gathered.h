#ifndef SESSIONS_GATHERED_H
#define SESSIONS_GATHERED_H

/*
 * The records that all sessions emit after the end of the input, sorted into the order of the
 * input. A record that comes later in the input than all records that its lane has emitted is an
 * anchor, and keeps its place. Any other record follows the lane's last anchor, or begins the
 * session if the lane has no anchor. A record that is set aside is not written, and is an anchor
 * for itself alone. The queue owns the records.
 *
 *     a1 b1 a2 a3 b2        input, all of it held
 *     a1 + a3 a2            emitted by lane a: one was added, and a3 was moved before a2
 *     a1 + b1 a3 a2 b2      written: a3 is an anchor, and a2 follows it
 */

#include "data/queue.h"
#include "face/sessions/lanes.h"

#define GATHERED_INIT QUEUE_OF(struct gathered_record)

struct gathered_record {
	struct queue_item held;
	uint64_t anchor;
	size_t number; /* in the order of emitting */
};

/* Holds a record that the lane has emitted; the lane's anchor is up to date. */
void gathered_add(struct queue *gathered, const struct record *record, const struct lane *lane);

/* Emits all of them in their order, as the stage's. */
void gathered_emit(struct queue *gathered, struct stage *stage);

#endif
