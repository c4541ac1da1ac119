#ifndef FACTS_THINGS_H
#define FACTS_THINGS_H

/*
 * Distinct things in the order in which each was named last, such as the paths of files.
 *
 *     added       a.c  b.c  a.c
 *     item        -    b.c  a.c      a thing that is named again leaves a gap
 *
 * Adding takes a time that does not grow with the list. The texts are copied into an arena of the
 * list.
 */

#include "base/arena.h"
#include "base/hash/map.h"
#include "json/write.h"

struct things {
	struct str *item; /* "": a gap */
	uint32_t used;    /* items, gaps included */
	uint32_t cap;
	uint32_t count;  /* things */
	size_t json_len; /* bytes that the things take in a JSON array, between its brackets */
	bool is_json;    /* the things are JSON values; else texts */
	struct map at;   /* a thing -> its item */
	struct arena arena;
	struct buf scratch;
};

void things_free(struct things *things);

/* Makes item the newest thing; ignores "". Elements of the array item may move, the texts do
 * not. */
void things_add(struct things *things, struct str item);

bool things_has(const struct things *things, struct str item);

/* things_remove takes out the thing with that index, which must not be a gap; things_take_out takes
 * out that thing if the list has it. */
void things_remove(struct things *things, uint32_t item);
void things_take_out(struct things *things, struct str thing);

/* Takes out the oldest things until there are at most so many. */
void things_bound(struct things *things, uint32_t most);

/* Adds the elements of an array, of which the last is the newest: all of them when the things are
 * JSON, else the strings. Adds nothing when the value is no array. */
void things_read(struct things *things, struct json_value array);

/* Writes the things as an array, the oldest first. */
void things_write(const struct things *things, struct json_writer *w);

#endif
