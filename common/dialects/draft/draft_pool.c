#include "dialects/draft/draft_pool.h"

#include <stdlib.h>

#include "base/mem.h"

struct draft *
draft_pool_take(struct draft_pool *pool)
{
	struct draft *draft;

	for (int i = 0; i < DRAFT_POOL_SPARE; i++)
		if ((draft = pool->spare[i]) != NULL) {
			pool->spare[i] = NULL;
			return draft;
		}
	draft = mem_alloc(1, sizeof *draft);
	*draft = (struct draft)DRAFT_INIT;
	return draft;
}

void
draft_pool_put(struct draft_pool *pool, struct draft *draft)
{
	if (draft == NULL)
		return;
	for (int i = 0; i < DRAFT_POOL_SPARE; i++)
		if (pool->spare[i] == NULL) {
			pool->spare[i] = draft;
			return;
		}
	draft_free(draft);
	free(draft);
}

void
draft_pool_free(struct draft_pool *pool)
{
	for (int i = 0; i < DRAFT_POOL_SPARE; i++) {
		if (pool->spare[i] != NULL)
			draft_free(pool->spare[i]);
		free(pool->spare[i]);
	}
}
