#ifndef BASE_ARENA_H
#define BASE_ARENA_H

/*
 * Memory with one lifetime: what is allocated from an arena is freed with it, in one call, or
 * reused by arena_reset. ARENA_INIT makes the empty one.
 *
 *     chunk -> chunk -> chunk        newest first; a chunk doubles up to 1 MiB
 *     [used....|free]
 */

#include "base/str.h"

struct arena_chunk;

struct arena {
	struct arena_chunk *chunk;
};

#define ARENA_INIT {NULL}

/* size bytes aligned for any type, uninitialized. */
void *arena_alloc(struct arena *arena, size_t size);

/* count * size bytes, all zero. */
void *arena_zalloc(struct arena *arena, size_t count, size_t size);

/* A copy of s. */
struct str arena_copy(struct arena *arena, struct str s);

/* Forgets all allocations, keeps the newest chunk. */
void arena_reset(struct arena *arena);

void arena_free(struct arena *arena);

#endif
