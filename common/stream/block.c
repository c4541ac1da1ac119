#include "stream/block.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"

off_t
block_page(void)
{
	return sysconf(_SC_PAGESIZE);
}

struct input_block *
block_new(struct input_block *older, size_t cap)
{
	struct input_block *block = mem_alloc(1, sizeof *block + cap + INPUT_PADDING);

	block->older = older;
	block->bytes = block->memory;
	block->cap = cap;
	block->mapped = 0;
	return block;
}

struct input_block *
block_map(struct input_block *older, int fd, off_t start, size_t len, int now)
{
	/* One page more: the padding behind a line that ends with the window. */
	size_t mapped = len + (size_t)block_page();
	void *bytes = mmap(NULL, mapped, PROT_READ, MAP_PRIVATE | (now ? MAP_POPULATE : 0), fd, start);
	struct input_block *block;

	if (bytes == MAP_FAILED)
		return NULL;
	block = mem_alloc(1, sizeof *block);
	*block = (struct input_block){.older = older, .bytes = bytes, .cap = len, .mapped = mapped};
	return block;
}

struct input_block *
block_grow(struct input_block *block)
{
	size_t cap = block->cap + block->cap / 2;

	block = mem_realloc(block, 1, sizeof *block + cap + INPUT_PADDING);
	block->bytes = block->memory;
	block->cap = cap;
	return block;
}

void
block_free(struct input_block *block)
{
	if (block->mapped > 0)
		munmap(block->bytes, block->mapped);
	free(block);
}
