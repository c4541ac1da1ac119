#include "data/select/sieve.h"

#include <stdlib.h>

#include "base/list.h"

void
sieve_init(struct sieve *sieve, void (*take)(struct stage *stage, struct record *record),
    void (*end)(struct stage *stage))
{
	*sieve = (struct sieve){.stage = {.take = take, .end = end}};
	walk_init(&sieve->walk);
}

/* Makes room for the marks of the groups that there are by now. */
static void
add_groups(struct sieve *sieve, uint32_t group)
{
	while (group != WALK_NONE && sieve->group_count <= group) {
		LIST_ROOM(sieve->is_group_marked, sieve->group_count, sieve->group_cap);
		sieve->is_group_marked[sieve->group_count++] = false;
	}
}

const struct message *
sieve_add(
    struct sieve *sieve, struct record *record, struct message *storage, struct verdict *verdict)
{
	struct sieve_item item = {.group = WALK_NONE, .is_message = record->kind == RECORD_MESSAGE};
	const struct message *message = NULL;

	if (item.is_message) {
		message = record_message(record, storage);
		walk_add(&sieve->walk, message, verdict);
		item.group = verdict->group;
		add_groups(sieve, item.group);
	}
	LIST_ROOM(sieve->item, sieve->queue.count, sieve->item_cap);
	sieve->item[sieve->queue.count] = item;
	queue_add(&sieve->queue, record);
	return message;
}

void
sieve_mark(struct sieve *sieve, size_t item)
{
	if (sieve->item[item].group != WALK_NONE)
		sieve->is_group_marked[sieve->item[item].group] = true;
	else
		sieve->item[item].is_marked = true;
}

static bool
passes(const struct sieve *sieve, const struct sieve_item *item, bool marked)
{
	if (!item->is_message)
		return true;
	if (item->group != WALK_NONE)
		return sieve->is_group_marked[item->group] == marked;
	return item->is_marked == marked;
}

void
sieve_emit(struct sieve *sieve, bool marked)
{
	for (size_t i = 0; i < sieve->queue.count; i++) {
		if (passes(sieve, &sieve->item[i], marked) && !fault_is_set(sieve->stage.fault))
			stage_emit_held(&sieve->stage, &sieve->queue.record[i]);
		record_release(&sieve->queue.record[i]);
	}
	sieve->queue.count = 0;
}

void
sieve_free(struct sieve *sieve)
{
	walk_free(&sieve->walk);
	queue_free(&sieve->queue);
	free(sieve->item);
	free(sieve->is_group_marked);
}
