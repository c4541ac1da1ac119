#ifndef HASH_MAP_H
#define HASH_MAP_H

/*
 * A map from hashes of base/hash/hash.h to numbers. No output depends on its order.
 *
 * It is a table with open addressing and linear probing, at most two thirds full. A slot has the
 * number of the entry that has the key. Slots are small, so that many of them fit into the
 * processor's cache. Entries are in the order in which they were added, so that the newest are
 * close together. The slots follow the entries, in the same memory:
 *
 *     entry     1 2 3 . .
 *     slot      . . 2 . 1 . . 3      each with 32 bits of a hash of its key, and 0 where it is free
 *
 * MAP_INIT makes an empty map.
 */

#include <stddef.h>

#include "base/hash/hash.h"

struct map {
	struct map_entry *entry; /* and the slots */
	size_t cap;              /* of slots: a power of two, or 0 */
	size_t count;
};

#define MAP_INIT \
	{ \
		NULL, 0, 0 \
	}
#define MAP_NONE UINT64_MAX

/* The slots follow the room for the entries: for cap slots two thirds as many entries, each three
 * times as large as a slot. */
static inline uint64_t *
map_slots(const struct map *map)
{
	return (uint64_t *)(void *)map->entry + 2 * map->cap;
}

/* A hint that key is looked up soon: loads its slot into the processor's cache. */
void map_prefetch(const struct map *map, struct hash key);

/* The value of the key, or MAP_NONE when the key is not in the map. */
uint64_t map_get(const struct map *map, struct hash key);

/* Sets the value of the key. The value is not MAP_NONE. Returns the former value, or MAP_NONE when
 * the key was not in the map. */
uint64_t map_set(struct map *map, struct hash key, uint64_t value);

void map_remove(struct map *map, struct hash key);
void map_free(struct map *map);

#endif
