#ifndef BASE_ARENA_H
#define BASE_ARENA_H

/*
 * Memory with one lifetime: all allocations of an arena are freed in one call, or forgotten by
 * arena_reset, which reuses their memory. ARENA_INIT makes an empty arena.
 *
 *     chunk -> chunk -> chunk        newest first; a chunk doubles up to 1 MiB
 *     [used....|free]
 */

#include "base/str.h"

struct arena_chunk;

struct arena {
	struct arena_chunk *chunk;
};

#define ARENA_INIT \
	{ \
		NULL \
	}

/* Returns size bytes, aligned for any type, uninitialized. */
void *arena_alloc(struct arena *arena, size_t size);

/* Returns count * size bytes, all zero. */
void *arena_zalloc(struct arena *arena, size_t count, size_t size);

struct str arena_copy(struct arena *arena, struct str s);

/* Memory for readers that read ahead: BUF_PADDING zero bytes follow the content (base/buf.h).
 * arena_padded returns len bytes, uninitialized; arena_copy_padded returns a copy of s. */
char *arena_padded(struct arena *arena, size_t len);
struct str arena_copy_padded(struct arena *arena, struct str s);

/* Forgets all allocations. The newest chunk stays for the next ones, all others are freed. */
void arena_reset(struct arena *arena);

void arena_free(struct arena *arena);

#endif
