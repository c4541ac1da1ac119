#include "base/mem.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"

void
mem_exhausted(void)
{
	diag_die(STATUS_OS, "out of memory");
}

#ifdef __GLIBC__
/* The heap grows in large steps, so that little of the new memory is touched before it is advised
 * for huge pages. */
void
mem_use_large_pages(void)
{
	enum { PAGE = 1 << 21, FROM = 2 * PAGE, STEP = 2 * PAGE };
	static char *start, *told;
	char *top = sbrk(0);

	if (start == NULL)
		start = top;
	if (top - start < FROM)
		return;
	if (told == NULL) {
		mallopt(M_TOP_PAD, STEP);
		mallopt(M_TRIM_THRESHOLD, 2 * STEP);
		mallopt(M_MMAP_THRESHOLD, STEP);
		told = top;
	}
	if (top - told >= PAGE) {
		madvise(told, (size_t)(top - told), MADV_HUGEPAGE);
		told = top;
	}
}
#else
void
mem_use_large_pages(void)
{
}
#endif

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
