#ifndef STREAM_BLOCK_H
#define STREAM_BLOCK_H

/*
 * Blocks of memory with a count of users. An input reads into blocks, and who needs the bytes of a
 * record for longer than the record is under way keeps the record's block and drops it later.
 *
 *     pool    idle -> block -> block        nobody keeps them
 *     input   block (the input's own use)   users 1, or more while a stage holds records of it
 *
 * A block that nobody uses any more goes to the idle list of its pool and keeps its bytes there: the
 * output may still refer to them. The input, which owns the pool, empties the list before it reads
 * again, and outputs are flushed before that. A block without a pool is freed when it is dropped.
 *
 * A block is kept as a whole. Who keeps few bytes of many blocks copies them instead.
 */

#include <stddef.h>

enum {
	BLOCK_SIZE = 256 * 1024,       /* an input's block, unless a line is longer */
	BLOCK_LARGE = 8 * BLOCK_SIZE,  /* one that grew to this is not used again */
	BLOCK_PADDING = 64,            /* readable bytes behind the last one */
};

struct block_pool;

struct block {
	struct block_pool *pool; /* NULL: none */
	struct block *next;      /* in the idle list */
	size_t users;
	size_t cap;              /* without the padding */
	char bytes[];
};

/* An empty pool. It lives until it is closed and its last block has been dropped. */
struct block_pool *block_pool_new(void);
void block_pool_close(struct block_pool *pool);

/* A block of BLOCK_SIZE bytes or more, used once: an idle one of the pool where there is one. Idle
 * blocks beyond that are freed. */
struct block *block_take(struct block_pool *pool);

/* A block without a pool, used once, with room for cap bytes. */
struct block *block_new(size_t cap);

/* The block, used once, with half as much room again; its bytes may move. */
struct block *block_grow(struct block *block);

/* One user more, one user less; NULL is nobody's block. */
void block_keep(struct block *block);
void block_drop(struct block *block);

/* Blocks that are kept for as long as the list, in the order in which they came. */
struct block_list {
	struct block **block;
	size_t count;
	size_t cap;
};

/* Keeps the block, unless it is the last of the list already. */
void block_list_add(struct block_list *list, struct block *block);

/* Drops all of them and frees the list. */
void block_list_free(struct block_list *list);

#endif
