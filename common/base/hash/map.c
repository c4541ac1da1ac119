#include "base/hash/map.h"

#include <stdlib.h>

#include "base/mem.h"

struct map_entry {
	struct hash key;
	uint64_t value;
};

_Static_assert(sizeof(struct map_entry) == 3 * sizeof(uint64_t), "the room of entries");

/* The upper half of a product (Fibonacci hashing), as the upper half of a slot: it spreads keys
 * with neighbouring numbers over the table. In one long run of full slots each removal would move
 * the rest of the run. */
static uint64_t
mark_of(struct hash key)
{
	uint64_t product =
	    (key.a ^ key.b * UINT64_C(0xc2b2ae3d27d4eb4f)) * UINT64_C(0x9e3779b97f4a7c15);

	return product & UINT64_C(0xffffffff00000000);
}

/* Where the search for the key of a slot begins. */
static size_t
home(const struct map *map, uint64_t slot)
{
	return (size_t)((slot >> 32) * map->cap >> 32);
}

/* The entry of the slot, which must not be free. */
static size_t
entry_of(uint64_t slot)
{
	return (uint32_t)slot - 1u;
}

/* The slot of the key, or else the free slot where the key would go. */
static uint64_t *
find_slot(const struct map *map, struct hash key)
{
	uint64_t mark = mark_of(key);
	uint64_t *slot = map_slots(map);
	size_t i = home(map, mark);

	for (; slot[i] != 0; i = (i + 1) & (map->cap - 1))
		if ((slot[i] ^ mark) <= UINT32_MAX &&
		    hash_eq(map->entry[entry_of(slot[i])].key, key))
			break;
	return &slot[i];
}

/* A stream may have very many sessions, each with maps of few keys. */
enum { MAP_MIN = 8 };

/* Makes room for twice as many keys. The entries stay where they are, as far as the system lets
 * them: large memory grows without being copied. The slots are made anew after them. */
static void
grow(struct map *map)
{
	size_t cap = map->cap == 0 ? MAP_MIN : map->cap * 2;
	uint64_t *slot;

	if (cap > UINT32_MAX)
		mem_exhausted();
	map->entry = mem_realloc(map->entry, cap, 3 * sizeof *slot);
	map->cap = cap;
	slot = map_slots(map);
	memset(slot, 0, cap * sizeof *slot);
	for (size_t entry = 0; entry < map->count; entry++) {
		uint64_t mark = mark_of(map->entry[entry].key);
		size_t i = home(map, mark);

		while (slot[i] != 0)
			i = (i + 1) & (cap - 1);
		slot[i] = mark | (entry + 1);
	}
}

void
map_prefetch(const struct map *map, struct hash key)
{
	if (map->count > 0)
		__builtin_prefetch(&map_slots(map)[home(map, mark_of(key))]);
}

uint64_t
map_get(const struct map *map, struct hash key)
{
	const uint64_t *slot;

	if (map->count == 0)
		return MAP_NONE;
	slot = find_slot(map, key);
	return *slot != 0 ? map->entry[entry_of(*slot)].value : MAP_NONE;
}

uint64_t
map_set(struct map *map, struct hash key, uint64_t value)
{
	struct map_entry *entry;
	uint64_t *slot, before = MAP_NONE;

	if ((map->count + 1) * 3 > map->cap * 2)
		grow(map);
	slot = find_slot(map, key);
	if (*slot == 0)
		*slot = mark_of(key) | ++map->count;
	else
		before = map->entry[entry_of(*slot)].value;
	entry = &map->entry[entry_of(*slot)];
	*entry = (struct map_entry){key, value};
	return before;
}

void
map_remove(struct map *map, struct hash key)
{
	uint64_t *all, *slot;
	size_t hole, entry;

	if (map->count == 0)
		return;
	slot = find_slot(map, key);
	if (*slot == 0)
		return;
	/* The last entry moves to the place of the removed one. */
	entry = entry_of(*slot);
	*find_slot(map, map->entry[map->count - 1].key) -= map->count - 1 - entry;
	map->entry[entry] = map->entry[map->count - 1];
	map->count--;
	all = map_slots(map);
	/* Moves back the keys whose search passes the hole, so that no tombstone is needed. */
	hole = (size_t)(slot - all);
	for (size_t i = hole;;) {
		i = (i + 1) & (map->cap - 1);
		if (all[i] == 0)
			break;
		if (((i - home(map, all[i])) & (map->cap - 1)) >= ((i - hole) & (map->cap - 1))) {
			all[hole] = all[i];
			hole = i;
		}
	}
	all[hole] = 0;
}

void
map_free(struct map *map)
{
	free(map->entry);
	*map = (struct map)MAP_INIT;
}
