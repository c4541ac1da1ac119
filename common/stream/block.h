#ifndef STREAM_BLOCK_H
#define STREAM_BLOCK_H

/*
 * Blocks of memory with a count of users. An input reads into blocks. A stage that needs the bytes
 * of a record for longer than one call keeps the record's block, and drops it later.
 *
 *     pool    idle -> block -> block        nobody keeps them
 *     input   block (the input's own use)   users 1, or more while a stage holds records of it
 *
 * A block without users goes to the idle list of its pool. Its bytes stay there unchanged, since an
 * output may still refer to them. The input owns the pool and takes blocks from the idle list when
 * it reads; outputs are flushed before that. A block without a pool is freed when its last user
 * drops it.
 *
 * A block is kept as a whole. To keep few bytes of many blocks, copy the bytes instead. BUF_PADDING
 * more bytes are allocated after the capacity of a block.
 */

#include <stddef.h>

enum {
	BLOCK_SIZE = 256 * 1024,      /* bytes of a block, unless a line is longer */
	BLOCK_LARGE = 8 * BLOCK_SIZE, /* a block of this size or more is freed, not used again */
};

struct block_pool;

struct block {
	struct block_pool *pool; /* NULL when the block has none */
	struct block *next;      /* in the idle list */
	size_t users;
	size_t cap; /* bytes, without the padding */
	char bytes[];
};

/* Makes an empty pool. The pool lives until it is closed and its last block has been dropped. */
struct block_pool *block_pool_new(void);
void block_pool_close(struct block_pool *pool);

/* Returns an idle block of the pool, or a new one. The block has BLOCK_SIZE bytes or more, and one
 * user. Frees all other idle blocks. */
struct block *block_take(struct block_pool *pool);

/* Makes a block without a pool, with one user and room for cap bytes. */
struct block *block_new(size_t cap);

/* Makes a block that has one user larger by half. Returns its new address: the bytes may move. */
struct block *block_grow(struct block *block);

/* block_keep adds a user of the block; block_drop removes one. block may be NULL: then neither does
 * anything. */
void block_keep(struct block *block);
void block_drop(struct block *block);

/* A list of blocks, which keeps each of them until the list is freed. */
struct block_list {
	struct block **block;
	size_t count;
	size_t cap;
};

/* Adds the block at the end of the list, unless it is the last one of the list already. */
void block_list_add(struct block_list *list, struct block *block);

/* Drops all blocks of the list and frees the list. */
void block_list_free(struct block_list *list);

#endif
