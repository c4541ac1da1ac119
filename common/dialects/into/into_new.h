#ifndef INTO_INTO_NEW_H
#define INTO_INTO_NEW_H

/*
 * The records of messages that are new, or are written anew: neighbours of the stream together
 * that are of one agent.
 */

#include "dialects/into/into_state.h"

struct into_new_batch {
	uint32_t entry, entries;
	uint32_t unit;    /* in front of which they stand, or INTO_NONE: at the end */
	struct str agent; /* of all of them, JSON; or empty */
	uint32_t link;    /* the next unit of that agent, which follows them, or INTO_NONE */
	uint32_t kin;     /* a unit of that agent, or INTO_NONE */
	uint32_t waits;   /* the batch before that has no link yet + 1, or 0 */
	/* Of the messages before it that are in the file: */
	struct str order, asked; /* the id of the last one, and of the last one of the user */
	int64_t ms;              /* the time of the newest */
	int64_t until;           /* the time of what is behind it, or 0: unknown */
	struct str text;         /* records, with LF between, or of a document with commas */
	struct str last;         /* the id of the last one, JSON; empty: there is none */
	struct str last_asked;   /* the same of the last one of the user */
};

static inline struct into_new_batch *
into_new_at(const struct into *into, uint64_t number)
{
	return &((struct into_new_batch *)(void *)into->batches.ptr)[number];
}

static inline uint32_t
into_new_count(const struct into *into)
{
	return (uint32_t)(into->batches.len / sizeof(struct into_new_batch));
}

/* Finds the batches, and the units in front of which they stand. */
void into_new_find(struct into *into);

/* Puts the batch between the records beside it in time, or else by its ids: last and ms are the id
 * and the time of the one before it. */
void into_new_place(
    struct into *into, struct into_new_batch *batch, struct json_value last, int64_t ms);

/* Writes the records of the batch: parent is the id of the record before, JSON, or null. */
void into_new_write(struct into *into, struct into_new_batch *batch, struct str parent);

#endif
