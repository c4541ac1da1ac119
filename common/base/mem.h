#ifndef BASE_MEM_H
#define BASE_MEM_H

/*
 * The heap. A size that overflows, and memory that runs out, end the program with a diagnostic and
 * status 71. No other module below face ends the program.
 */

#include <stddef.h>

/* Whether AddressSanitizer looks for memory that nobody frees, or that is used after free(3). */
#if defined(__SANITIZE_ADDRESS__)
#define MEM_IS_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEM_IS_WATCHED 1
#endif
#endif
#ifndef MEM_IS_WATCHED
#define MEM_IS_WATCHED 0
#endif

/* Returns count * size bytes, uninitialized; free them with free(3). */
void *mem_alloc(size_t count, size_t size);

/* Returns the memory at ptr, grown or shrunk to count * size bytes; ptr may be NULL. */
void *mem_realloc(void *ptr, size_t count, size_t size);

/* A new capacity of at least need items: cap, or 4 if cap is less, doubled as often as needed. */
size_t mem_grow(size_t cap, size_t need);

/* The same, but at most limit. When need is more than limit, calls mem_exhausted. */
size_t mem_grow_within(size_t cap, size_t need, size_t limit);

/* Call now and then in a run that may hold very much. A heap of more than 4 MB then grows in pages
 * of 2 MB, if the system has such pages. A page costs a microsecond and more when it is touched
 * first, and another when it is looked for, whatever its size. */
void mem_use_large_pages(void);

/* Says "out of memory" and exits with status 71. */
_Noreturn void mem_exhausted(void);

#endif
