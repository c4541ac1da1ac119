#include "data/session/failures.h"

#include <stdlib.h>

#include "base/list.h"

uint32_t
failures_add(struct failures *failures, uint32_t call)
{
	LIST_ROOM(failures->item, failures->count, failures->cap);
	failures->item[failures->count].call = call;
	for (int way = 0; way < FAILURE_WAYS; way++)
		failures->item[failures->count].older[way] = FAILURE_NONE;
	return failures->count++;
}

void
failures_list(struct failures *failures, uint32_t index, enum failure_way way, struct hash key)
{
	uint64_t before = map_set(&failures->newest[way], key, index);

	if (before != MAP_NONE)
		failures->item[index].older[way] = (uint32_t)before;
}

uint32_t
failures_take(struct failures *failures, enum failure_way way, struct hash key)
{
	uint64_t newest = map_get(&failures->newest[way], key);

	if (newest == MAP_NONE)
		return FAILURE_NONE;
	map_remove(&failures->newest[way], key);
	return (uint32_t)newest;
}

void
failures_free(struct failures *failures)
{
	for (int way = 0; way < FAILURE_WAYS; way++)
		map_free(&failures->newest[way]);
	free(failures->item);
	*failures = (struct failures){.count = 0};
}
