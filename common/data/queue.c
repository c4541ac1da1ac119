#include "data/queue.h"

#include <stdlib.h>

#include "base/list.h"

void
queue_add(struct queue *queue, const struct record *record)
{
	LIST_ROOM(queue->record, queue->count, queue->cap);
	record_hold(&queue->record[queue->count++], record);
}

void
queue_emit(struct queue *queue, struct stage *stage)
{
	for (size_t i = 0; i < queue->count; i++) {
		stage_emit_held(stage, &queue->record[i]);
		record_release(&queue->record[i]);
	}
	queue->count = 0;
}

void
queue_free(struct queue *queue)
{
	for (size_t i = 0; i < queue->count; i++)
		record_release(&queue->record[i]);
	free(queue->record);
}
