#include "base/hash/numbering.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

enum { SLOTS_MIN = 16 };

/* The slot of the key, or the free one where it belongs. */
static uint32_t *
find(const struct numbering *numbering, struct hash key)
{
	size_t at = key.a & (numbering->slots - 1);

	while (numbering->slot[at] != 0 && !hash_eq(numbering->key[numbering->slot[at] - 1], key))
		at = (at + 1) & (numbering->slots - 1);
	return &numbering->slot[at];
}

/* Doubles the slots. The old ones go first: the keys have all that they say. */
static void
grow(struct numbering *numbering)
{
	size_t slots = numbering->slots > 0 ? 2 * numbering->slots : SLOTS_MIN;

	free(numbering->slot);
	numbering->slot = mem_alloc(slots, sizeof *numbering->slot);
	memset(numbering->slot, 0, slots * sizeof *numbering->slot);
	numbering->slots = slots;
	for (uint32_t i = 0; i < numbering->count; i++)
		*find(numbering, numbering->key[i]) = i + 1;
}

uint32_t
numbering_add(struct numbering *numbering, struct hash key)
{
	uint32_t *slot;

	if (3 * ((size_t)numbering->count + 1) > 2 * numbering->slots)
		grow(numbering);
	slot = find(numbering, key);
	if (*slot == 0) {
		LIST_ADD(numbering->key, numbering->count, numbering->cap, key);
		*slot = numbering->count;
	}
	return *slot;
}

void
numbering_free(struct numbering *numbering)
{
	free(numbering->key);
	free(numbering->slot);
	*numbering = (struct numbering){0};
}
