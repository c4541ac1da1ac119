#ifndef DRAFT_DRAFT_POOL_H
#define DRAFT_DRAFT_POOL_H

/*
 * Drafts for reuse. Two are enough: usually a record is written before the second next one is
 * begun. A zeroed pool is empty.
 */

#include "dialects/draft/draft.h"

enum { DRAFT_POOL_SPARE = 2 };

struct draft_pool {
	struct draft *spare[DRAFT_POOL_SPARE];
};

/* Returns a draft, which the caller owns until it is put back, and which must be reset before
 * use. */
struct draft *draft_pool_take(struct draft_pool *pool);

/* Puts the draft back; NULL is none. */
void draft_pool_put(struct draft_pool *pool, struct draft *draft);

void draft_pool_free(struct draft_pool *pool);

#endif
