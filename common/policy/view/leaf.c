#include "policy/view/leaf.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"

/* An item whose parent may come behind it. */
struct leaf_wait {
	uint32_t item;
	struct hash parent;
};

static struct hash
id_key(struct leaf *leaf, struct json_value id)
{
	return hash_bytes(json_text(id, &leaf->scratch), hash_seed(HASH_MESSAGE_ID));
}

/* The parent of the newest item, as far as is known by now. */
static uint32_t
find_parent(struct leaf *leaf, struct json_value id)
{
	struct hash key;
	uint64_t found;

	if (id.type == JSON_NULL)
		return WALK_NONE;
	if (id.type != JSON_STRING)
		return leaf->before;
	key = id_key(leaf, id);
	found = map_get(&leaf->by_id, key);
	if (found != MAP_NONE)
		return (uint32_t)found;
	LIST_ROOM(leaf->wait, leaf->wait_count, leaf->wait_cap);
	leaf->wait[leaf->wait_count++] =
	    (struct leaf_wait){.item = (uint32_t)leaf->count, .parent = key};
	return leaf->before;
}

/* What metadata says of that name, or else the message, as instructor spells it. */
static struct json_value
find_said(const struct message *message, enum metadata_name name, struct str spelled)
{
	if (message->meta[name].type != JSON_ABSENT)
		return message->meta[name];
	return json_find(message->value, spelled);
}

static void
add(struct leaf *leaf, const struct message *message, const struct verdict *verdict)
{
	uint32_t item = (uint32_t)leaf->count;
	struct json_value id = find_said(message, METADATA_ID, STR("id"));
	bool is_system = role_is_system(message->role);

	leaf->parent[item] =
	    find_parent(leaf, find_said(message, METADATA_PARENT_ID, STR("parentId")));
	if (id.type == JSON_STRING)
		map_set(&leaf->by_id, id_key(leaf, id), item);
	leaf->has_begun |= !is_system;
	if (!leaf->has_begun)
		sieve_mark(&leaf->sieve, item);
	leaf->before = item;
	if (!verdict->outside)
		leaf->newest = item;
}

static void
take(struct stage *stage, struct record *record)
{
	struct leaf *leaf = (struct leaf *)stage;
	struct message read;
	struct verdict verdict;
	const struct message *message = sieve_add(&leaf->sieve, record, &read, &verdict);

	LIST_ROOM(leaf->parent, leaf->count, leaf->cap);
	leaf->parent[leaf->count] = WALK_NONE;
	if (message != NULL)
		add(leaf, message, &verdict);
	leaf->count++;
}

/* The item where the path ends, or WALK_NONE. */
static uint32_t
find_leaf(struct leaf *leaf)
{
	uint64_t found;

	if (leaf->id == NULL)
		return leaf->newest;
	found = map_get(&leaf->by_id, hash_bytes(str_from(leaf->id), hash_seed(HASH_MESSAGE_ID)));
	if (found != MAP_NONE)
		return (uint32_t)found;
	fault_set(leaf->sieve.stage.fault, STATUS_NO, "no message has id '%s'", leaf->id);
	return WALK_NONE;
}

static void
end(struct stage *stage)
{
	struct leaf *leaf = (struct leaf *)stage;
	uint32_t item = find_leaf(leaf), next;

	for (size_t i = 0; i < leaf->wait_count; i++) {
		uint64_t found = map_get(&leaf->by_id, leaf->wait[i].parent);

		if (found != MAP_NONE)
			leaf->parent[leaf->wait[i].item] = (uint32_t)found;
	}
	for (; item != WALK_NONE; item = next) {
		sieve_mark(&leaf->sieve, item);
		next = leaf->parent[item];
		leaf->parent[item] = WALK_NONE; /* a path that comes back ends */
	}
	sieve_emit(&leaf->sieve, true);
}

void
leaf_init(struct leaf *leaf, const char *id)
{
	*leaf = (struct leaf){
	    .id = strcmp(id, "last") == 0 ? NULL : id, .before = WALK_NONE, .newest = WALK_NONE};
	sieve_init(&leaf->sieve, take, end);
}

void
leaf_free(struct leaf *leaf)
{
	sieve_free(&leaf->sieve);
	map_free(&leaf->by_id);
	free(leaf->parent);
	free(leaf->wait);
	buf_free(&leaf->scratch);
}
