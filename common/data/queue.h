#ifndef DATA_QUEUE_H
#define DATA_QUEUE_H

/*
 * The records that a stage holds, in their order. Each has a number, counted from 0, and a fate:
 *
 *              first                               end
 *     (4) (5)    6      7      8      9      10     11
 *             [final][gone ][open ][final][open ]
 *       they leave here                        they are added here
 *
 *     OPEN     not decided: the record stays, and so do all records after it
 *     FINAL    the record is emitted as soon as it is the first
 *     GONE     the record is not emitted: it leaves as soon as it is the first
 *
 * So 6 and 7 leave now, and 8 and 9 as soon as 8 is decided. The messages of a group can share the
 * fate of the first of them. Then none of them may leave before the last one has come.
 *
 * The queue owns the bytes of its records (record_hold). The items are one array, so that a pointer
 * to an item is valid until the next record is added. A stage that needs more members for a record
 * puts struct queue_item at the start of its own struct:
 *
 *     struct step {
 *             struct queue_item held;
 *             uint32_t first_call;
 *     };
 *
 *     struct queue queue = QUEUE_OF(struct step);
 *     struct step *step = queue_add(&queue, record, FATE_OPEN);
 *
 * Each record costs constant time, amortized: the items move to the start of the array when those
 * that have left take half of it. An empty queue keeps an array of 4 KiB at most.
 */

#include "data/stage.h"
#include "data/walk.h"

#define QUEUE_NONE SIZE_MAX /* the number of no record */

struct queue_item {
	struct record record;
	enum fate fate;
	uint32_t back; /* this record has the fate of the record that many places before it */
};

struct queue {
	size_t size; /* of an item */
	void *item;  /* the items, from number start on */
	size_t start;
	size_t first; /* the record at the front */
	size_t end;   /* the number that the next record gets; first: the queue is empty */
	size_t cap;
};

#define QUEUE_OF(type) \
	(struct queue) \
	{ \
		.size = sizeof(type) \
	}

/* The item with that number, or its record; the record must be in the queue. */
static inline void *
queue_at(const struct queue *queue, size_t number)
{
	return (char *)queue->item + (number - queue->start) * queue->size;
}

static inline struct record *
queue_record(const struct queue *queue, size_t number)
{
	return &((struct queue_item *)queue_at(queue, number))->record;
}

static inline bool
queue_is_empty(const struct queue *queue)
{
	return queue->first == queue->end;
}

/* Adds the record at the end. Returns its item; the members after struct queue_item are zeros. */
void *queue_add(struct queue *queue, const struct record *record, enum fate fate);

/* Makes the message with that number share the fate of its group. walk has just taken the message
 * and given that verdict. The queue uses the notes of the walk (walk_note) for this; the stage must
 * not use them. */
void queue_join(
    struct queue *queue, size_t number, struct walk *walk, const struct verdict *verdict);

/* Sets the fate of a record and of its group. */
void queue_decide(struct queue *queue, size_t number, enum fate fate);

/* The fate of the record with that number, or of its group. The record must be in the queue. */
enum fate queue_fate(const struct queue *queue, size_t number);

/* Removes the record at the front, and emits it if its fate is final. Returns false when the queue
 * is empty or the fate is open. After a fault nothing is emitted. */
bool queue_emit_first(struct queue *queue, struct stage *stage);

/* The same for all records at the front, up to the first one whose fate is open. */
static inline void
queue_emit(struct queue *queue, struct stage *stage)
{
	while (!queue_is_empty(queue) && queue_emit_first(queue, stage))
		;
}

/* Emits a final record at once, without a copy, when the queue is empty. Otherwise adds the record
 * to the queue, unless its fate is gone. */
static inline void
queue_pass(struct queue *queue, struct stage *stage, struct record *record, enum fate fate)
{
	if (fate == FATE_FINAL && queue_is_empty(queue))
		stage_emit(stage, record);
	else if (fate != FATE_GONE)
		queue_add(queue, record, fate);
}

/* Drops all records. The queue is empty, and may be used again. */
void queue_free(struct queue *queue);

#endif
