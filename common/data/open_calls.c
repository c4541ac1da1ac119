#include "data/open_calls.h"

#include <stdlib.h>

#include "base/list.h"

/* Most sessions never have more than this number of open calls at a time, and need no map. */
enum { OPEN_FEW = 4 };

/* Puts the call of the slot into the map, before older ones with the same key. */
static void
map_slot(struct open_calls *open, uint32_t slot)
{
	uint64_t older = map_set(&open->by_id, open->slot[slot].key, slot);

	open->slot[slot].older = older == MAP_NONE ? OPEN_NONE : (uint32_t)older;
}

uint32_t
open_calls_find(const struct open_calls *open, struct hash key)
{
	uint32_t newest = OPEN_NONE;
	uint64_t found;

	if (open->used > OPEN_FEW) {
		found = map_get(&open->by_id, key);
		return found == MAP_NONE ? OPEN_NONE : (uint32_t)found;
	}
	for (uint32_t i = 0; i < open->used; i++) {
		const struct open_call *call = &open->slot[i];

		if (call->call != OPEN_NONE && hash_eq(call->key, key) &&
		    (newest == OPEN_NONE || call->call > open->slot[newest].call))
			newest = i;
	}
	return newest;
}

/* The few slots are all used: from now on there is a map of them. A slot that was used again has a
 * newer call than later slots. */
static void
begin_map(struct open_calls *open)
{
	uint32_t before = 0, next;

	for (uint32_t n = 0; n < open->used; n++, before = open->slot[next].call + 1) {
		next = OPEN_NONE;
		for (uint32_t i = 0; i < open->used; i++)
			if (open->slot[i].call >= before &&
			    (next == OPEN_NONE || open->slot[i].call < open->slot[next].call))
				next = i;
		map_slot(open, next);
	}
}

static uint32_t
new_slot(struct open_calls *open)
{
	uint32_t slot = open->free;

	if (slot != OPEN_NONE) {
		open->free = open->slot[slot].older;
		return slot;
	}
	if (open->used == OPEN_FEW)
		begin_map(open);
	LIST_ROOM(open->slot, open->used, open->cap);
	open->slot[open->used].nth = 0;
	return open->used++;
}

void
open_calls_add(struct open_calls *open, uint32_t index, const struct open_call *call)
{
	uint32_t slot = new_slot(open), nth = open->slot[slot].nth;

	open->slot[slot] = *call;
	open->slot[slot].nth = nth;
	open->slot[index].nth = slot; /* there are at least as many slots */
	if (open->used > OPEN_FEW)
		map_slot(open, slot);
}

struct open_call *
open_calls_nth(struct open_calls *open, uint32_t nth)
{
	return &open->slot[open->slot[nth].nth];
}

void
open_calls_close(struct open_calls *open, uint32_t slot)
{
	struct open_call *call = &open->slot[slot];

	if (open->used > OPEN_FEW && call->older == OPEN_NONE)
		map_remove(&open->by_id, call->key);
	else if (open->used > OPEN_FEW)
		map_set(&open->by_id, call->key, call->older);
	call->call = OPEN_NONE;
	call->older = open->free;
	open->free = slot;
}

void
open_calls_free(struct open_calls *open)
{
	map_free(&open->by_id);
	free(open->slot);
}
