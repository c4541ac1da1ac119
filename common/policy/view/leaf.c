#include "policy/view/leaf.h"

#include <stdlib.h>

#include "base/list.h"

struct leaf_item {
	struct queue_item held;
	size_t parent; /* QUEUE_NONE: it is a root */
};

/* A message whose parent may come after it. */
struct leaf_wait {
	size_t number;
	struct hash parent;
};

/* The parent of the newest message, as far as is known by now. */
static size_t
find_parent(struct leaf *leaf, struct json_value id)
{
	struct hash key;
	uint64_t found;

	if (id.type == JSON_NULL)
		return QUEUE_NONE;
	if (id.type != JSON_STRING)
		return leaf->before;
	key = record_id_hash(id);
	found = map_get(&leaf->by_id, key);
	if (found != MAP_NONE)
		return found;
	LIST_ADD(leaf->wait, leaf->wait_count, leaf->wait_cap,
	    (struct leaf_wait){leaf->queue.end - 1, key});
	return leaf->before;
}

/* The value of that name in metadata, or else in the message, as instructor spells it. */
static struct json_value
find_said(const struct message *message, enum metadata_name name, struct str spelled)
{
	if (message->meta[name].type != JSON_ABSENT)
		return message->meta[name];
	return json_find(message->value, spelled);
}

static void
take_message(struct leaf *leaf, struct record *record)
{
	struct message read;
	const struct message *message = record_message(record, &read);
	struct json_value id = find_said(message, METADATA_ID, STR("id"));
	size_t number = leaf->queue.end;
	struct leaf_item *item;
	struct verdict verdict;

	walk_add(&leaf->walk, message, &verdict);
	item = queue_add(&leaf->queue, record, FATE_GONE);
	queue_join(&leaf->queue, number, &leaf->walk, &verdict);
	item->parent = find_parent(leaf, find_said(message, METADATA_PARENT_ID, STR("parentId")));
	if (id.type == JSON_STRING)
		map_set(&leaf->by_id, record_id_hash(id), number);
	leaf->has_begun |= !role_is_system(message->role);
	if (!leaf->has_begun)
		queue_decide(&leaf->queue, number, FATE_FINAL);
	leaf->before = number;
	if (!verdict.outside)
		leaf->newest = number;
}

static void
take(struct stage *stage, struct record *record)
{
	struct leaf *leaf = (struct leaf *)stage;

	if (record->kind == RECORD_MESSAGE)
		take_message(leaf, record);
	else
		queue_add(&leaf->queue, record, FATE_FINAL);
}

/* The message where the path ends, or QUEUE_NONE. */
static size_t
find_leaf(struct leaf *leaf)
{
	uint64_t found;

	if (leaf->id == NULL)
		return leaf->newest;
	found = map_get(&leaf->by_id, hash_bytes(str_from(leaf->id), hash_seed(HASH_MESSAGE_ID)));
	if (found != MAP_NONE)
		return found;
	fault_set(leaf->stage.fault, STATUS_NO, "no message has id '%s'", leaf->id);
	return QUEUE_NONE;
}

static void
end(struct stage *stage)
{
	struct leaf *leaf = (struct leaf *)stage;
	size_t number = find_leaf(leaf), next;
	struct leaf_item *item;

	for (size_t i = 0; i < leaf->wait_count; i++) {
		uint64_t found = map_get(&leaf->by_id, leaf->wait[i].parent);

		item = queue_at(&leaf->queue, leaf->wait[i].number);
		if (found != MAP_NONE)
			item->parent = found;
	}
	for (; number != QUEUE_NONE; number = next) {
		queue_decide(&leaf->queue, number, FATE_FINAL);
		item = queue_at(&leaf->queue, number);
		next = item->parent;
		item->parent = QUEUE_NONE; /* a path that comes back ends */
	}
	queue_emit(&leaf->queue, stage);
}

void
leaf_init(struct leaf *leaf, const char *id)
{
	*leaf = (struct leaf){.stage = {.take = take, .end = end},
	    .queue = QUEUE_OF(struct leaf_item),
	    .id = strcmp(id, "last") == 0 ? NULL : id,
	    .before = QUEUE_NONE,
	    .newest = QUEUE_NONE};
	walk_init(&leaf->walk);
}

void
leaf_free(struct leaf *leaf)
{
	walk_free(&leaf->walk);
	queue_free(&leaf->queue);
	map_free(&leaf->by_id);
	free(leaf->wait);
}
