#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/diag.h"

void
mem_exhausted(void)
{
	diag_die(STATUS_OS, "out of memory");
}

void *
mem_realloc(void *ptr, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		mem_exhausted();
	ptr = realloc(ptr, bytes > 0 ? bytes : 1);
	if (ptr == NULL)
		mem_exhausted();
	return ptr;
}

void *
mem_alloc(size_t count, size_t size)
{
	return mem_realloc(NULL, count, size);
}

size_t
mem_grow(size_t cap, size_t need)
{
	if (cap < 4)
		cap = 4;
	while (cap < need) {
		if (cap > SIZE_MAX / 2)
			mem_exhausted();
		cap *= 2;
	}
	return cap;
}

size_t
mem_grow_within(size_t cap, size_t need, size_t limit)
{
	size_t grown;

	if (need > limit)
		mem_exhausted();
	grown = mem_grow(cap, need);
	return grown < limit ? grown : limit;
}
