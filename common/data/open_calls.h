#ifndef DATA_OPEN_CALLS_H
#define DATA_OPEN_CALLS_H

/*
 * The calls that have no result yet, found by their ids. A slot that is free is used again, so that
 * memory goes by the most calls that were open at a time.
 */

#include "base/hash/hash.h"

#define OPEN_NONE UINT32_MAX

struct open_call {
	struct hash key; /* of its id */
	uint32_t older;  /* the slot of an older one with the same key, or of the next free slot */
	uint32_t nth;    /* by its own index: the slot of that call of the last message */
	uint32_t call;   /* OPEN_NONE: the slot is free */
	uint32_t group;
	uint32_t execution;
	uint32_t nested; /* of the call message */
	bool is_trace;   /* of its group */
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

/* Opens a call, the one with index nth, from 0, of its message. Its number is greater than those
 * before. */
void open_calls_add(struct open_calls *open, uint32_t nth, const struct open_call *call);

/* The call with that index of the last message. */
struct open_call *open_calls_nth(struct open_calls *open, uint32_t nth);

/* The newest open call of the key, by its slot; or OPEN_NONE. */
uint32_t open_calls_find(const struct open_calls *open, struct hash key);

/* Closes a call that open_calls_find gave. */
void open_calls_close(struct open_calls *open, uint32_t slot);

void open_calls_free(struct open_calls *open);

#endif
