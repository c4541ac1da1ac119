#ifndef LOAD_LOAD_TIMES_H
#define LOAD_LOAD_TIMES_H

/*
 * The records of a chain by their times: where the walk goes on when no record is the parent, and
 * where it begins. As Claude Code 2.1.330 does it, whose loader was read and tried
 * (tests/clients/traps.mjs).
 */

#include "dialects/load/load_file.h"

/* A record, in the order of time; of one time the first of the file comes last. */
struct load_times_slot {
	int64_t time;
	uint32_t node;
	uint32_t free; /* the slot, counted from 1, from which to look down for one not reached */
};

/* Zeroed, it is made by the first question. */
struct load_times {
	struct load_times_slot *slot; /* slot[0] is none */
	uint32_t count;
};

/* The last node by time that is not reached, and is no younger than the one at hand and at most
 * five seconds older; or LOAD_NONE. All questions together take the time of a sort. */
uint32_t load_times_before(struct load_times *times, const struct load_file *file, uint32_t at);

void load_times_free(struct load_times *times);

/* The last node by time among last and those that follow it, however far; last itself, where it is
 * the last one of all or none has a time. Takes linear time. */
uint32_t load_times_leaf(const struct load_file *file, uint32_t last);

#endif
