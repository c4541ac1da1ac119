#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

#if MEM_IS_WATCHED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(ptr, len) ((void)(ptr), (void)(len))
#define ASAN_UNPOISON_MEMORY_REGION(ptr, len) ((void)(ptr), (void)(len))
#endif

/* The first chunk is small: there may be an arena for each of very many sessions. */
enum { CHUNK_MIN = 256, CHUNK_MAX = 1 << 20 };

struct arena_chunk {
	struct arena_chunk *older;
	size_t used;
	size_t cap;
	alignas(max_align_t) char bytes[];
};

static struct arena_chunk *
add_chunk(struct arena *arena, size_t size)
{
	struct arena_chunk *chunk;
	size_t cap = arena->chunk == NULL ? CHUNK_MIN : arena->chunk->cap * 2;

	if (cap > CHUNK_MAX)
		cap = CHUNK_MAX;
	if (cap < size)
		cap = size;
	chunk = mem_alloc(1, sizeof *chunk + cap);
	chunk->older = arena->chunk;
	chunk->used = 0;
	chunk->cap = cap;
	ASAN_POISON_MEMORY_REGION(chunk->bytes, cap);
	arena->chunk = chunk;
	return chunk;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	struct arena_chunk *chunk = arena->chunk;
	const size_t align = alignof(max_align_t);
	size_t rounded = (size + align - 1) & ~(align - 1);
	void *ptr;

	if (rounded < size)
		mem_exhausted();
	if (chunk == NULL || chunk->cap - chunk->used < rounded)
		chunk = add_chunk(arena, rounded);
	ptr = chunk->bytes + chunk->used;
	chunk->used += rounded;
	ASAN_UNPOISON_MEMORY_REGION(ptr, size);
	return ptr;
}

void *
arena_zalloc(struct arena *arena, size_t count, size_t size)
{
	size_t bytes;
	void *ptr;

	if (__builtin_mul_overflow(count, size, &bytes))
		mem_exhausted();
	ptr = arena_alloc(arena, bytes);
	if (bytes > 0)
		memset(ptr, 0, bytes);
	return ptr;
}

struct str
arena_copy(struct arena *arena, struct str s)
{
	char *ptr = arena_alloc(arena, s.len);

	if (s.len > 0)
		memcpy(ptr, s.ptr, s.len);
	return str_of(ptr, s.len);
}

char *
arena_padded(struct arena *arena, size_t len)
{
	char *ptr = arena_alloc(arena, len + BUF_PADDING);

	memset(ptr + len, 0, BUF_PADDING);
	return ptr;
}

struct str
arena_copy_padded(struct arena *arena, struct str s)
{
	char *ptr = arena_padded(arena, s.len);

	if (s.len > 0)
		memcpy(ptr, s.ptr, s.len);
	return str_of(ptr, s.len);
}

static void
free_from(struct arena_chunk *chunk)
{
	while (chunk != NULL) {
		struct arena_chunk *older = chunk->older;

		ASAN_UNPOISON_MEMORY_REGION(chunk->bytes, chunk->cap);
		free(chunk);
		chunk = older;
	}
}

void
arena_reset(struct arena *arena)
{
	struct arena_chunk *chunk = arena->chunk;

	if (chunk == NULL)
		return;
	free_from(chunk->older);
	chunk->older = NULL;
	chunk->used = 0;
	ASAN_POISON_MEMORY_REGION(chunk->bytes, chunk->cap);
}

void
arena_free(struct arena *arena)
{
	free_from(arena->chunk);
	arena->chunk = NULL;
}
