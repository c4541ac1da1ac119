#include "policy/isolate/resolutions.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/session/session_locks.h"
#include "json/members.h"
#include "json/write.h"

struct hash
resolutions_key(const struct session *t, uint32_t group)
{
	return hash_number((uint64_t)t->gone.groups + group, hash_seed(HASH_GROUP));
}

/* Adds an item to the group that resolves the call. */
static void
add(struct resolutions *resolutions, const struct session *t, const struct call *call)
{
	struct hash key = resolutions_key(t, call->resolver - t->gone.groups);
	uint64_t older = map_set(&resolutions->newest, key, resolutions->count);

	LIST_ADD(resolutions->item, resolutions->count, resolutions->cap,
	    (struct resolutions_item){arena_copy(&resolutions->arena, call->id),
		older == MAP_NONE ? NONE : (uint32_t)older});
}

void
resolutions_note(struct resolutions *resolutions, struct session *t, uint32_t index)
{
	struct group *group = &t->group[index];

	if (group->is_noted || !session_is_kept_by_failures(t, group))
		return;
	group->is_noted = true;
	for (uint32_t i = group->first_call; i < group->first_call + group->calls; i++) {
		const struct call *call = &t->call[i];

		if (call->resolved_at > 0) {
			struct hash id = call_id_key(call->id, 0);
			uint64_t last = map_get(&resolutions->last, id);

			if (last == MAP_NONE || last < call->resolved_at)
				map_set(&resolutions->last, id, call->resolved_at);
		}
		if (call->resolver != NONE && call->resolver != t->gone.groups + index)
			add(resolutions, t, call);
	}
}

void
resolutions_list(const struct session *t, uint32_t index, struct map *map)
{
	const struct group *group = &t->group[index];

	for (uint32_t i = group->first_call; i < group->first_call + group->calls; i++)
		if (t->call[i].resolver != NONE)
			map_set(map, resolutions_key(t, t->call[i].resolver - t->gone.groups), 0);
}

/* Whether a message of the group names the failures that it resolves. */
static bool
says_resolves(const struct session *t, const struct group *group)
{
	for (uint32_t at = 0, i; (i = session_member(t, group, &at)) != NONE;)
		if (t->entry[i].says_resolves)
			return true;
	return false;
}

bool
resolutions_has(const struct resolutions *resolutions, const struct session *t, uint32_t index)
{
	const struct group *group = &t->group[index];

	return says_resolves(t, group) ||
	    map_get(&resolutions->newest, resolutions_key(t, index)) != MAP_NONE;
}

/* Whether another failure of that id, before the group, is open at the place of the group, so that
 * the id would also resolve it. */
static bool
is_open(
    const struct resolutions *resolutions, const struct session *t, uint32_t index, struct str id)
{
	const struct group *group = &t->group[index];
	uint64_t at = map_get(&t->failures.newest[FAILURE_BY_ID], call_id_key(id, 0));

	if (map_get(&resolutions->last, call_id_key(id, 0)) > t->gone.entries + group->last + 1)
		return true;
	for (uint32_t i = at == MAP_NONE ? FAILURE_NONE : (uint32_t)at; i != FAILURE_NONE;
	     i = t->failures.item[i].older[FAILURE_BY_ID]) {
		uint32_t call = t->failures.item[i].call;

		if (call < group->first_call &&
		    session_is_kept_by_failures(t, &t->group[t->call[call].group]))
			return true;
	}
	return false;
}

static void
add_id(struct str json, uint32_t *count, struct buf *buf)
{
	if ((*count)++ > 0)
		buf_add_char(buf, ',');
	buf_add_str(buf, json);
}

/* Appends the ids that the messages of the group say they resolve. */
static void
add_said(const struct session *t, const struct group *group, uint32_t *count, struct buf *buf)
{
	struct message message;

	for (uint32_t at = 0, i; (i = session_member(t, group, &at)) != NONE;) {
		if (!t->entry[i].says_resolves)
			continue;
		entry_parse(&t->entry[i], &message);
		if (message.meta[METADATA_RESOLVES].type == JSON_STRING)
			add_id(json_span(message.meta[METADATA_RESOLVES]), count, buf);
		for (struct json_walk walk = json_walk_of(message.meta[METADATA_RESOLVES]);
		     json_walk_next(&walk);)
			if (walk.value.type == JSON_STRING)
				add_id(json_span(walk.value), count, buf);
	}
}

/* Appends the ids that are noted for the group. Returns false when one may not be said. */
static bool
add_noted(const struct resolutions *resolutions, const struct session *t, uint32_t index,
    uint32_t *count, struct buf *buf)
{
	uint64_t at = map_get(&resolutions->newest, resolutions_key(t, index));
	struct buf json = BUF_INIT;
	bool is_clear = true;

	for (uint32_t i = at == MAP_NONE ? NONE : (uint32_t)at; i != NONE && is_clear;
	     i = resolutions->item[i].older) {
		buf_reset(&json);
		json_write_string(&json, resolutions->item[i].id);
		add_id(buf_str(&json), count, buf);
		is_clear = !is_open(resolutions, t, index, resolutions->item[i].id);
	}
	buf_free(&json);
	return is_clear;
}

bool
resolutions_write(
    const struct resolutions *resolutions, const struct session *t, uint32_t index, struct buf *buf)
{
	const struct group *group = &t->group[index];
	struct buf ids = BUF_INIT;
	uint32_t count = 0;
	bool is_clear;

	add_said(t, group, &count, &ids);
	is_clear = add_noted(resolutions, t, index, &count, &ids);
	if (count > 1)
		buf_add_char(buf, '[');
	buf_add_str(buf, buf_str(&ids));
	if (count > 1)
		buf_add_char(buf, ']');
	buf_free(&ids);
	return is_clear;
}

void
resolutions_free(struct resolutions *resolutions)
{
	map_free(&resolutions->newest);
	map_free(&resolutions->last);
	free(resolutions->item);
	arena_free(&resolutions->arena);
}
