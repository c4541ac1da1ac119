#include "stream/sums.h"

#include <stdlib.h>

#include "base/list.h"

void
sums_begin(struct sums *sums, const char *file)
{
	if (sums->count > 0 && sums->list[sums->count - 1].is_dropped)
		sums->count--;
	LIST_ADD(sums->list, sums->count, sums->cap, (struct sums_file){.file = file});
}

void
sums_add(struct sums *sums, struct str bytes)
{
	struct sums_file *newest = &sums->list[sums->count - 1];

	if (!newest->is_dropped)
		sum_add(&newest->sum, bytes);
}

void
sums_drop(struct sums *sums, const char *file)
{
	struct sums_file *newest = &sums->list[sums->count - 1];

	if (sums->count > 0 && (file == NULL || newest->file == file))
		newest->is_dropped = true;
}

const struct sum *
sums_find(const struct sums *sums, const char *file)
{
	for (size_t i = sums->count; i-- > 0;)
		if (sums->list[i].file == file)
			return sums->list[i].is_dropped ? NULL : &sums->list[i].sum;
	return NULL;
}

void
sums_free(struct sums *sums)
{
	free(sums->list);
}
