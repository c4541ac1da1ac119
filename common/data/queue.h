#ifndef DATA_QUEUE_H
#define DATA_QUEUE_H

/* Records that a stage holds, in their order. The queue keeps their bytes. A zeroed queue is
 * empty. */

#include "data/stage.h"

struct queue {
	struct record *record;
	size_t count;
	size_t cap;
};

/* Holds the record behind the others. */
void queue_add(struct queue *queue, const struct record *record);

/* Emits all records from the stage and empties the queue. */
void queue_emit(struct queue *queue, struct stage *stage);

/* Drops all records. */
void queue_free(struct queue *queue);

#endif
