#ifndef LOAD_LOAD_TIMES_H
#define LOAD_LOAD_TIMES_H

/*
 * The records of a chain by their times: the record at which the walk begins, and the record with
 * which it goes on when a parent is missing. This follows Claude Code 2.1.330, whose loader was
 * read and tried (tests/clients/traps.mjs).
 */

#include "dialects/load/load_file.h"

/* A record, in the order of time. Of records with the same time, the first of the file comes
 * last. */
struct load_times_slot {
	int64_t time;
	uint32_t node;
	uint32_t free; /* the slot, from 1, from which to search down for a record not reached */
};

/* Zeroed at first; the first call fills it. */
struct load_times {
	struct load_times_slot *slot; /* slot[0] is none */
	uint32_t count;
};

/* The last node by time that is not reached, and is no younger than the one at hand and at most
 * five seconds older; or LOAD_NONE. All calls together take the time of a sort. */
uint32_t load_times_before(struct load_times *times, const struct load_file *file, uint32_t at);

void load_times_free(struct load_times *times);

/* The last node by time among last and its descendants; last itself if it is the last node of all,
 * or if no node has a time. Takes linear time. */
uint32_t load_times_leaf(const struct load_file *file, uint32_t last);

#endif
