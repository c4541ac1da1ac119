#ifndef DRAFT_DRAFT_POOL_H
#define DRAFT_DRAFT_POOL_H

/*
 * Drafts that are used again: a record is mostly written before the next one but one is begun. A
 * zeroed pool is empty.
 */

#include "dialects/draft/draft.h"

enum { DRAFT_POOL_SPARE = 2 };

struct draft_pool {
	struct draft *spare[DRAFT_POOL_SPARE];
};

/* A draft, of the caller until it is put back; it is to be reset. */
struct draft *draft_pool_take(struct draft_pool *pool);

/* Puts the draft back; NULL is none. */
void draft_pool_put(struct draft_pool *pool, struct draft *draft);

/* Frees what is in the pool. */
void draft_pool_free(struct draft_pool *pool);

#endif
