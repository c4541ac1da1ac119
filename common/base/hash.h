#ifndef BASE_HASH_H
#define BASE_HASH_H

/*
 * Keyed 128-bit hashes and a map from them. The keys are drawn at start, so that hostile input
 * cannot choose its collisions, and the result is wide enough to stand for the bytes themselves.
 * Nothing that is written depends on a hash's value or on a map's order.
 */

#include <stdint.h>

#include "base/str.h"

struct hash {
	uint64_t a;
	uint64_t b;
};

/* The hash of bytes; seed tells kinds of keys apart, or carries a hash on. */
struct hash hash_bytes(struct str bytes, struct hash seed);

/* Open addressing with linear probing, at most two thirds full; MAP_INIT is the empty map. */
struct map_slot {
	struct hash key;
	uint64_t value; /* MAP_NONE marks a free slot */
};

struct map {
	struct map_slot *slot;
	size_t cap; /* a power of two, or 0 */
	size_t count;
};

#define MAP_INIT {NULL, 0, 0}
#define MAP_NONE UINT64_MAX

/* The key's value, MAP_NONE when it has none. */
uint64_t map_get(const struct map *map, struct hash key);

/* Sets the key's value, which is not MAP_NONE; returns the value before, MAP_NONE if none. */
uint64_t map_set(struct map *map, struct hash key, uint64_t value);

void map_remove(struct map *map, struct hash key);
void map_free(struct map *map);

#endif
