#ifndef INTO_INTO_NEW_H
#define INTO_INTO_NEW_H

/*
 * The records of messages that are new, or are written anew: neighbours of the stream together.
 */

#include "dialects/into/into.h"

struct into_batch {
	uint32_t entry, entries;
	uint32_t unit;    /* in front of which they stand, or INTO_NONE: at the end */
	/* Of the messages before it that are in the file: */
	struct str order, asked; /* the id of the last one, and of the last one of the user */
	int64_t ms;              /* the time of the newest */
	struct str text;  /* records, with LF between, or of a document with commas */
	struct str last;  /* the id of the last one, JSON; or null */
	struct str last_asked;   /* the same of the last one of the user */
};

/* Finds the batches, and the units in front of which they stand. */
void into_new_find(struct into *into);

/* Writes the records of the batch: parent is the id of the record before, JSON, or null. */
void into_new_write(struct into *into, struct into_batch *batch, struct str parent);

#endif
