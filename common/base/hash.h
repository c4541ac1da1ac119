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

/* What is hashed. The same bytes have another hash under another kind. */
enum hash_kind {
	HASH_AGENT,      /* who speaks */
	HASH_CALL,       /* a tool call: name and arguments */
	HASH_CALL_ID,    /* of calls and results */
	HASH_GIVEN_ID,   /* of calls and results, in the names that a writer gives them */
	HASH_GROUP,      /* by number */
	HASH_LABEL,      /* of a row */
	HASH_MESSAGE_ID,
	HASH_TARGET,     /* a path, or a command */
};

/* Where the hash of a key of that kind begins. */
struct hash hash_seed(enum hash_kind kind);

/* The hash of bytes, or of a number, carried on from seed: that of a kind, or another hash. */
struct hash hash_bytes(struct str bytes, struct hash seed);
struct hash hash_number(uint64_t number, struct hash seed);

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
