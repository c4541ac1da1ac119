#ifndef DATA_OPEN_CALLS_H
#define DATA_OPEN_CALLS_H

/*
 * The calls that have no result yet, found by their ids. Free slots are used again, so that memory
 * grows with the most calls that were open at one time.
 */

#include "base/hash/map.h"

#define OPEN_NONE UINT32_MAX

struct open_call {
	struct hash key; /* of its id */
	uint32_t older;  /* the slot of an older call with the same key, or of the next free slot */
	uint32_t nth;    /* slot[i].nth is the slot of call i of the last message */
	uint32_t call;   /* OPEN_NONE: the slot is free */
	uint32_t group;
	uint32_t execution;
	uint32_t nested; /* the nested execution of the call message, or 0 */
	bool is_trace;   /* whether its group is trace */
	uint8_t section; /* set by walk_note_section */
	uint64_t note;   /* set by walk_note */
};

struct open_calls {
	struct open_call *slot;
	uint32_t used;
	uint32_t cap;
	uint32_t free;    /* list of reusable slots */
	struct map by_id; /* key -> the newest open call; empty while there are few slots */
};

#define OPEN_CALLS_INIT \
	{ \
		.free = OPEN_NONE \
	}

/* Adds an open call; nth is its index in its message, from 0. call->call must be greater than that
 * of every earlier call. */
void open_calls_add(struct open_calls *open, uint32_t nth, const struct open_call *call);

/* The call with that index in the last message. */
struct open_call *open_calls_nth(struct open_calls *open, uint32_t nth);

/* The slot of the newest open call with that key, or OPEN_NONE. */
uint32_t open_calls_find(const struct open_calls *open, struct hash key);

/* Removes the call in a slot that open_calls_find returned. */
void open_calls_close(struct open_calls *open, uint32_t slot);

void open_calls_free(struct open_calls *open);

#endif
