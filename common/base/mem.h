#ifndef BASE_MEM_H
#define BASE_MEM_H

/*
 * The heap, for sizes that were computed: overflow and exhaustion end the program here, in one
 * place, with a diagnostic and status 71.
 */

#include <stddef.h>

/* count * size bytes, uninitialized; free with free(3). */
void *mem_alloc(size_t count, size_t size);

/* ptr grown or shrunk to count * size bytes; ptr may be NULL. */
void *mem_realloc(void *ptr, size_t count, size_t size);

/* A capacity of at least need items, doubling from cap. */
size_t mem_grow(size_t cap, size_t need);

/* The same, at most limit; a need beyond limit is memory that nobody has. */
size_t mem_grow_within(size_t cap, size_t need, size_t limit);

/* Says "out of memory" and exits with status 71. */
_Noreturn void mem_exhausted(void);

#endif
