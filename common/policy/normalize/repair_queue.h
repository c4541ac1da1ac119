#ifndef NORMALIZE_REPAIR_QUEUE_H
#define NORMALIZE_REPAIR_QUEUE_H

/*
 * The records that a repair holds, and when they leave: results directly behind their calls, in the
 * order of those, and nothing in front of a group that still waits.
 */

#include "policy/normalize/repair.h"

/* A message that waits, or another record, which is final. */
struct repair_item {
	struct queue_item held;
	struct pair_fact fact; /* of a message */
};

/* Emits a record, unless it is outside and the repair is of a whole: then it goes, and is counted. */
void repair_queue_emit(struct repair *repair, struct record *record, bool is_outside);

/* Emits a message that waits. */
void repair_queue_emit_item(struct repair *repair, struct repair_item *item);

/* Emits the waiting records, as far as they can go. A bad line may still freeze a group that is not
 * whole, so nothing of the group is moved before it is whole. */
void repair_queue_pump(struct repair *repair);

/* Emits the message, or lets it wait. */
void repair_queue_add(struct repair *repair, struct record *record, const struct pair_fact *fact);

#endif
