#include "dialects/claude-code/claude_uuids.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"

struct hash
claude_uuids_key(struct json_value uuid)
{
	return uuid.type == JSON_STRING ? json_hash(uuid, hash_seed(HASH_MESSAGE_ID)) :
					  (struct hash){0, 0};
}

/* The index of the key in the list, or MAP_NONE. Usually the key is of the line at hand, or of the
 * line before, which it follows: the two keys used last. */
static uint64_t
index_of(const struct claude_uuids *uuids, struct hash key)
{
	for (unsigned i = 0; i < CLAUDE_UUIDS_USED; i++)
		if (hash_eq(uuids->used[i].key, key) && !claude_uuids_is_none(key))
			return uuids->used[i].index;
	return map_get(&uuids->by_key, key);
}

static struct claude_uuid *
find(const struct claude_uuids *uuids, struct hash key)
{
	uint64_t at = index_of(uuids, key);

	return at != MAP_NONE ? &uuids->list[at] : NULL;
}

struct claude_uuid *
claude_uuids_find(const struct claude_uuids *uuids, struct hash key, uint32_t session)
{
	struct claude_uuid *uuid = find(uuids, key);

	return uuid == NULL || uuid->session == session ? uuid :
							  find(uuids, hash_number(session, key));
}

/* The record of that key, which is added when it is not known. */
static struct claude_uuid *
find_or_add(struct claude_uuids *uuids, struct hash key, uint32_t session)
{
	uint64_t at = index_of(uuids, key);

	if (at != uuids->used[0].index)
		uuids->used[1] = uuids->used[0];
	if (at != MAP_NONE) {
		uuids->used[0] = (struct claude_uuid_used){key, (uint32_t)at};
		return &uuids->list[at];
	}
	uuids->used[0] = (struct claude_uuid_used){key, uuids->count};
	map_set(&uuids->by_key, key, uuids->count);
	LIST_ADD(uuids->list, uuids->count, uuids->cap,
	    (struct claude_uuid){.session = session,
		.last = CLAUDE_UUIDS_NONE,
		.agent = CLAUDE_UUIDS_NONE,
		.node = CLAUDE_UUIDS_NONE});
	return &uuids->list[uuids->count - 1];
}

struct claude_uuid *
claude_uuids_add(struct claude_uuids *uuids, struct hash key, uint32_t session)
{
	struct claude_uuid *uuid = find_or_add(uuids, key, session);

	return uuid->session == session ? uuid :
					  find_or_add(uuids, hash_number(session, key), session);
}

uint32_t
claude_uuids_session(const struct claude_uuids *uuids, struct hash key)
{
	const struct claude_uuid *uuid = find(uuids, key);

	return uuid != NULL ? uuid->last : CLAUDE_UUIDS_NONE;
}

void
claude_uuids_enter(struct claude_uuids *uuids, struct hash key, uint32_t session)
{
	find_or_add(uuids, key, session)->last = session;
}

void
claude_uuids_free(struct claude_uuids *uuids)
{
	free(uuids->list);
	map_free(&uuids->by_key);
}
