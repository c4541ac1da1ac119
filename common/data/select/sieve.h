#ifndef SELECT_SIEVE_H
#define SELECT_SIEVE_H

/*
 * A stage that holds records and at its end lets some of the messages pass: those that were marked,
 * or those that were not. A pair group is marked as one. Records that are no messages pass. A stage
 * of this kind has it as its first member:
 *
 *     take    sieve_add for each record, in order; sieve_mark for any that came before
 *     end     sieve_mark, then sieve_emit
 */

#include "data/queue.h"
#include "data/walk.h"

struct sieve_item {
	uint32_t group; /* of the walk; or WALK_NONE */
	bool is_message;
	bool is_marked; /* of a message without a group */
};

struct sieve {
	struct stage stage; /* first, so that it is a stage */
	struct walk walk;   /* over the messages that are held */
	struct queue queue;
	struct sieve_item *item; /* for each record of the queue */
	size_t item_cap;
	bool *is_group_marked;
	size_t group_count, group_cap;
};

void sieve_init(struct sieve *sieve, void (*take)(struct stage *stage, struct record *record),
    void (*end)(struct stage *stage));

/* Holds a record as the next item, behind sieve->queue.count others. Sets *verdict when it is a
 * message, and returns the message, which may be read into storage; else returns NULL. */
const struct message *sieve_add(
    struct sieve *sieve, struct record *record, struct message *storage, struct verdict *verdict);

/* Marks the message of an item, with its group. */
void sieve_mark(struct sieve *sieve, size_t item);

/* Emits the messages that are marked, or those that are not, and all other records. */
void sieve_emit(struct sieve *sieve, bool marked);

void sieve_free(struct sieve *sieve);

#endif
