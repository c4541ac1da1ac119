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
 *     OPEN     not decided: the record stays, and with it all records behind
 *     FINAL    the record is emitted as soon as it is the first
 *     GONE     the record is not emitted: it leaves as soon as it is the first
 *
 * So 6 and 7 leave now, and 8 and 9 as soon as 8 is decided. Messages of a group can share one
 * fate, which is that of the first of them; then no record may leave before the last one has come.
 *
 * The queue owns the bytes of its records (record_hold). The items are one array, so that a pointer
 * to an item is valid until the next record is added. An item may begin a larger struct, with what
 * else the stage knows of the record:
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
	uint32_t back; /* how many records before this one that one stands whose fate it has */
};

struct queue {
	size_t size; /* of an item */
	void *item;  /* from number start on */
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

/* The item of that number, which is held, and its record. */
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

/* Holds the record behind the others. Returns its item, whose further members are zeros. */
void *queue_add(struct queue *queue, const struct record *record, enum fate fate);

/* Lets the record of that number, a message that walk has just taken with that verdict, share the
 * fate of its group. The notes of the walk's calls are the queue's. */
void queue_join(
    struct queue *queue, size_t number, struct walk *walk, const struct verdict *verdict);

/* Sets the fate of a record and of its group. */
void queue_decide(struct queue *queue, size_t number, enum fate fate);

/* The fate of the record of that number, which is held: that of its group. */
enum fate queue_fate(const struct queue *queue, size_t number);

/* Lets the record at the front leave. Returns false when there is none, or its fate is open. After
 * a fault nothing is emitted. */
bool queue_emit_first(struct queue *queue, struct stage *stage);

/* Lets the records at the front leave, up to the first one whose fate is open. */
static inline void
queue_emit(struct queue *queue, struct stage *stage)
{
	while (!queue_is_empty(queue) && queue_emit_first(queue, stage))
		;
}

/* Emits a final record at once when nothing is held, without a copy. Else holds the record, unless
 * it is gone. */
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
