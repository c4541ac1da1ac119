#ifndef INTO_INTO_NEW_H
#define INTO_INTO_NEW_H

/*
 * The records of messages that are new, or are written anew. A batch is a run of such messages in
 * the stream, all of one agent.
 */

#include "dialects/into/into_state.h"

struct into_new_batch {
	uint32_t entry, entries;
	uint32_t unit;    /* the unit before which they go; INTO_NONE: at the end */
	struct str agent; /* the id of that agent, JSON; or empty */
	uint32_t link;    /* the next unit of that agent, which follows them, or INTO_NONE */
	uint32_t kin;     /* a unit of that agent, or INTO_NONE */
	struct str named; /* the message whose model is that of answers that name none; or empty */
	uint32_t waits;   /* the previous batch without a link + 1, or 0 */
	/* Of the messages in the file that precede the batch: */
	struct str order, asked; /* the id of the last message, and of the user's last */
	int64_t ms;              /* the time of the newest message */
	int64_t until;           /* the time of the message after the batch, or 0: unknown */
	struct str text;         /* the records, with LF between; in a document, commas */
	struct str last;         /* the id of the last record, JSON; empty: there is none */
	struct str last_asked;   /* the id of the user's last record, the same */
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

/* Finds the batches, and the units before which they go. */
void into_new_find(struct into *into);

/* Finds the place of the batch between its neighbours by time, or, without times, by ids. last and
 * ms are the id and the time of the record before it. */
void into_new_place(
    struct into *into, struct into_new_batch *batch, struct json_value last, int64_t ms);

/* Writes the records of the batch: parent is the id of the record before, JSON, or null. */
void into_new_write(struct into *into, struct into_new_batch *batch, struct str parent);

#endif
