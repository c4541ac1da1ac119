#ifndef STREAM_BLOCK_H
#define STREAM_BLOCK_H

/*
 * The blocks that an input reads into: memory, or a window of a file, mapped. Behind the bytes of
 * either stand INPUT_PADDING more that can be read.
 */

#include <stddef.h>
#include <sys/types.h>

enum { INPUT_PADDING = 64 };

struct input_block {
	struct input_block *older;
	char *bytes;
	size_t cap;    /* without the padding */
	size_t mapped; /* bytes of the map, 0 for memory */
	char memory[];
};

/* A block of memory in front of older. */
struct input_block *block_new(struct input_block *older, size_t cap);

/* A window of len bytes in front of older, from start, a multiple of the page size; one page more of
 * the file must be there. now asks for all of its pages at once. NULL when it cannot be mapped. */
struct input_block *block_map(struct input_block *older, int fd, off_t start, size_t len, int now);

/* The block of memory with half as much room again. */
struct input_block *block_grow(struct input_block *block);

void block_free(struct input_block *block);

/* The page size. */
off_t block_page(void);

#endif
