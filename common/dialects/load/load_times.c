#include "dialects/load/load_times.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/mem.h"

enum { GAP_MAX = 5000 }; /* ms */

/* What is known of a node in the search for those that follow another one. */
enum below { BELOW_UNKNOWN, BELOW_NO, BELOW_YES };

static int
compare(const void *left, const void *right)
{
	const struct load_times_slot *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->node < b->node) - (a->node > b->node);
}

/* Whether the walk can reach the node by its time. */
static bool
has_time(const struct load_file *file, uint32_t at)
{
	const struct load_file_node *node = &file->node[at];

	return (node->flags & LOAD_IN_CHAIN) != 0 && node->time >= 0 &&
	    load_file_named(file, node->id) == at;
}

static void
make(struct load_times *times, const struct load_file *file)
{
	times->slot = mem_alloc((size_t)file->count + 1, sizeof *times->slot);
	times->slot[0] = (struct load_times_slot){0};
	for (uint32_t i = 0; i < file->count; i++)
		if (has_time(file, i))
			times->slot[++times->count] =
			    (struct load_times_slot){.time = file->node[i].time, .node = i};
	qsort(times->slot + 1, times->count, sizeof *times->slot, compare);
	for (uint32_t i = 1; i <= times->count; i++)
		times->slot[i].free = i;
}

uint32_t
load_times_before(struct load_times *times, const struct load_file *file, uint32_t at)
{
	int64_t time = file->node[at].time;
	uint32_t from, found;

	if (times->slot == NULL)
		make(times, file);
	LIST_BOUND(from, i, times->count, times->slot[i + 1].time <= time);
	for (found = from; found > 0;) {
		struct load_times_slot *slot = &times->slot[found];

		if (slot->free == found && (file->node[slot->node].flags & LOAD_IS_REACHED) == 0)
			break;
		if (slot->free == found)
			slot->free--;
		found = slot->free;
	}
	while (from > found) {
		uint32_t next = times->slot[from].free;

		times->slot[from].free = found;
		from = next;
	}
	return found > 0 && time - times->slot[found].time <= GAP_MAX ? times->slot[found].node :
									LOAD_NONE;
}

void
load_times_free(struct load_times *times)
{
	free(times->slot);
}

/* Whether the node follows one that is known to be below. Each node is looked at twice at most. */
static bool
is_below(const struct load_file *file, uint8_t *below, uint32_t from)
{
	uint32_t at;

	for (at = from; at != LOAD_NONE && below[at] == BELOW_UNKNOWN;
	     at = load_file_named(file, file->node[at].parent))
		below[at] = BELOW_NO;
	if (at == LOAD_NONE || below[at] == BELOW_NO)
		return false;
	for (at = from; below[at] == BELOW_NO; at = load_file_named(file, file->node[at].parent))
		below[at] = BELOW_YES;
	return true;
}

uint32_t
load_times_leaf(const struct load_file *file, uint32_t last)
{
	uint32_t latest = LOAD_NONE, leaf = last;
	uint8_t *below;

	for (uint32_t i = 0; i < file->count; i++)
		if (has_time(file, i) &&
		    (latest == LOAD_NONE || file->node[i].time > file->node[latest].time))
			latest = i;
	if (latest == LOAD_NONE || latest == last)
		return last;
	below = mem_alloc(file->count, sizeof *below);
	memset(below, BELOW_UNKNOWN, file->count);
	below[last] = BELOW_YES;
	for (uint32_t i = 0; i < file->count; i++)
		if (i != last && has_time(file, i) &&
		    (leaf == last || file->node[i].time >= file->node[leaf].time) &&
		    is_below(file, below, i))
			leaf = i;
	free(below);
	return leaf;
}
