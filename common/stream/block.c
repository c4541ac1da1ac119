#include "stream/block.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/mem.h"

struct block_pool {
	struct block *idle;
	size_t count; /* of blocks, idle ones included */
	bool is_closed;
};

struct block_pool *
block_pool_new(void)
{
	struct block_pool *pool = mem_alloc(1, sizeof *pool);

	*pool = (struct block_pool){.idle = NULL};
	return pool;
}

static void
free_idle(struct block_pool *pool)
{
	while (pool->idle != NULL) {
		struct block *block = pool->idle;

		pool->idle = block->next;
		pool->count--;
		free(block);
	}
}

void
block_pool_close(struct block_pool *pool)
{
	free_idle(pool);
	pool->is_closed = true;
	if (pool->count == 0)
		free(pool);
}

struct block *
block_new(size_t cap)
{
	struct block *block = mem_alloc(1, sizeof *block + cap + BUF_PADDING);

	block->pool = NULL;
	block->next = NULL;
	block->users = 1;
	block->cap = cap;
	return block;
}

struct block *
block_take(struct block_pool *pool)
{
	struct block *block = pool->idle;

	if (block != NULL && block->cap < BLOCK_LARGE) {
		pool->idle = block->next;
		block->users = 1;
	} else {
		block = block_new(BLOCK_SIZE);
		block->pool = pool;
		pool->count++;
	}
	free_idle(pool);
	return block;
}

struct block *
block_grow(struct block *block)
{
	size_t cap = block->cap + block->cap / 2;

	block = mem_realloc(block, 1, sizeof *block + cap + BUF_PADDING);
	block->cap = cap;
	return block;
}

void
block_keep(struct block *block)
{
	if (block != NULL)
		block->users++;
}

void
block_drop(struct block *block)
{
	struct block_pool *pool;

	if (block == NULL || --block->users > 0)
		return;
	pool = block->pool;
	if (pool != NULL && !pool->is_closed) {
		block->next = pool->idle;
		pool->idle = block;
		return;
	}
	free(block);
	if (pool != NULL && --pool->count == 0)
		free(pool);
}

void
block_list_add(struct block_list *list, struct block *block)
{
	if (list->count > 0 && list->block[list->count - 1] == block)
		return;
	LIST_ROOM(list->block, list->count, list->cap);
	block_keep(block);
	list->block[list->count++] = block;
}

void
block_list_free(struct block_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		block_drop(list->block[i]);
	free(list->block);
	*list = (struct block_list){.block = NULL};
}
