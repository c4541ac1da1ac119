#include "data/queue.h"

#include <stdlib.h>

#include "base/mem.h"

enum { ROOM_KEPT = 4096 }; /* bytes that an empty queue may keep */

/* Makes room for an item at the end. Often one record is held, in each of many sessions. */
static void
make_room(struct queue *queue)
{
	size_t left = queue->first - queue->start, held = queue->end - queue->first;

	if (left + held < queue->cap)
		return;
	if (queue->cap == 0 || left < held) {
		queue->cap += queue->cap / 2 + 1;
		queue->item = mem_realloc(queue->item, queue->cap, queue->size);
		return;
	}
	memmove(queue->item, queue_at(queue, queue->first), held * queue->size);
	queue->start = queue->first;
}

void *
queue_add(struct queue *queue, const struct record *record, enum fate fate)
{
	struct queue_item *item;

	make_room(queue);
	item = queue_at(queue, queue->end++);
	item->fate = fate;
	item->back = 0;
	if (queue->size > sizeof *item)
		memset(item + 1, 0, queue->size - sizeof *item);
	record_hold(&item->record, record);
	return item;
}

void
queue_join(struct queue *queue, size_t number, struct walk *walk, const struct verdict *verdict)
{
	struct queue_item *item = queue_at(queue, number);

	/* The note of a call is the number of its message plus 1, since 0 is no note. */
	for (uint32_t i = 0; i < verdict->calls; i++)
		walk_note(walk, i, number + 1);
	if (verdict->note != 0)
		item->back = (uint32_t)(number + 1 - verdict->note);
}

/* The record that decides the fate of the record. */
static inline struct queue_item *
head_of(const struct queue *queue, struct queue_item *item)
{
	return (void *)((char *)item - item->back * queue->size);
}

void
queue_decide(struct queue *queue, size_t number, enum fate fate)
{
	struct queue_item *item = queue_at(queue, number);

	head_of(queue, item)->fate = fate;
}

enum fate
queue_fate(const struct queue *queue, size_t number)
{
	return head_of(queue, queue_at(queue, number))->fate;
}

/* Releases the first record. */
static inline void
leave(struct queue *queue, struct queue_item *first)
{
	record_release(&first->record);
	if (++queue->first < queue->end)
		return;
	queue->start = queue->first;
	if (queue->cap * queue->size > ROOM_KEPT)
		queue_free(queue);
}

bool
queue_emit_first(struct queue *queue, struct stage *stage)
{
	struct queue_item *item;
	enum fate fate;

	if (queue_is_empty(queue))
		return false;
	item = queue_at(queue, queue->first);
	fate = head_of(queue, item)->fate;
	if (fate == FATE_OPEN)
		return false;
	if (fate == FATE_FINAL && !fault_is_set(stage->fault))
		stage_emit_held(stage, &item->record);
	leave(queue, item);
	return true;
}

void
queue_free(struct queue *queue)
{
	for (; queue->first < queue->end; queue->first++)
		record_release(queue_record(queue, queue->first));
	free(queue->item);
	queue->item = NULL;
	queue->cap = 0;
	queue->start = queue->first;
}
