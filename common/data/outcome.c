#include "data/outcome.h"

#include "json/text.h"

/* Failures by what would resolve them: each map holds the newest call of a list. */
struct failures {
	struct session *session;
	struct map by_key;
	struct map by_target;
	struct map by_id;
	uint32_t *older_target; /* lists of the second and third map, by call */
	uint32_t *older_id;
	struct arena arena;
};

static struct hash
target_key(const struct call *call)
{
	return hash_bytes(call->use.target, hash_bytes(call->name, hash_seed(HASH_TARGET)));
}

static struct hash
id_key(struct str id)
{
	return hash_bytes(id, hash_seed(HASH_CALL_ID));
}

static void
push(struct map *map, struct hash key, uint32_t call, uint32_t *older)
{
	uint64_t before = map_set(map, key, call);

	older[call] = before == MAP_NONE ? NONE : (uint32_t)before;
}

static void
fail(struct failures *failures, uint32_t index)
{
	struct call *call = &failures->session->call[index];
	uint64_t before;

	session_learn(failures->session, index);
	before = map_set(&failures->by_key, call->key, index);

	call->is_unresolved = true;
	call->older = before == MAP_NONE ? NONE : (uint32_t)before;
	if (call->use.target.len > 0)
		push(&failures->by_target, target_key(call), index, failures->older_target);
	push(&failures->by_id, id_key(call->id), index, failures->older_id);
}

static void
succeed(struct failures *failures, uint32_t index)
{
	struct session *t = failures->session;
	const struct call *call;
	uint64_t i;

	if (failures->by_key.count + failures->by_target.count == 0)
		return;
	call = session_learn(t, index);
	i = map_get(&failures->by_key, call->key);
	for (; i != MAP_NONE && i != NONE; i = t->call[i].older)
		t->call[i].is_unresolved = false;
	map_remove(&failures->by_key, call->key);
	if (call->use.target.len == 0)
		return;
	i = map_get(&failures->by_target, target_key(call));
	for (; i != MAP_NONE && i != NONE; i = failures->older_target[i])
		t->call[i].is_unresolved = false;
	map_remove(&failures->by_target, target_key(call));
}

/* "resolves" is an id or a list of them. */
static void
resolve_id(struct failures *failures, struct json_value id)
{
	struct session *t = failures->session;
	struct hash key;
	uint64_t i;

	if (id.type != JSON_STRING)
		return;
	key = id_key(json_text(id, &t->scratch));
	i = map_get(&failures->by_id, key);
	for (; i != MAP_NONE && i != NONE; i = failures->older_id[i])
		t->call[i].is_unresolved = false;
	map_remove(&failures->by_id, key);
}

static void
resolve_ids(struct failures *failures, const struct entry *entry)
{
	struct message message;
	struct json_walk walk;

	if (!entry->says_resolves)
		return;
	entry_parse(entry, &message);
	resolve_id(failures, message.meta[METADATA_RESOLVES]);
	json_walk_open(&walk, message.meta[METADATA_RESOLVES]);
	while (json_walk_next(&walk))
		resolve_id(failures, walk.value);
}

/* What metadata says of a result: 1 resolved, 0 to be kept open, -1 nothing. */
static int
said_resolved(const struct entry *entry)
{
	struct message message;

	if (!entry->says_resolved)
		return -1;
	entry_parse(entry, &message);
	return message_flag(&message, METADATA_RESOLVED);
}

static void
judge_result(struct failures *failures, const struct entry *entry)
{
	struct call *call = &failures->session->call[entry->call];
	int resolved = said_resolved(entry);

	if (resolved == 0)
		call->is_unresolved = true; /* in no map: nothing resolves it */
	else if (!entry->is_error)
		succeed(failures, entry->call);
	else if (resolved < 0)
		fail(failures, entry->call);
}

static void
judge_calls(struct failures *failures, const struct entry *entry)
{
	struct session *t = failures->session;
	struct group *group = &t->group[entry->group];
	const struct execution *execution = &t->execution[entry->execution];

	group->is_open = group->answered < group->calls &&
	    (execution->is_current || !execution->is_over);
	for (uint32_t i = 0; i < group->calls; i++)
		if (t->call[group->first_call + i].result == NONE && execution->is_over)
			fail(failures, group->first_call + i);
}

static void
find_unresolved(struct session *t)
{
	struct failures failures = {.session = t};

	failures.older_target = arena_zalloc(&failures.arena, t->call_count, sizeof(uint32_t));
	failures.older_id = arena_zalloc(&failures.arena, t->call_count, sizeof(uint32_t));
	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		if (entry->outside)
			continue;
		resolve_ids(&failures, entry);
		if (entry->has_calls)
			judge_calls(&failures, entry);
		if (entry->call != NONE)
			judge_result(&failures, entry);
	}
	for (uint32_t i = 0; i < t->call_count; i++)
		t->group[t->call[i].group].is_unresolved |= t->call[i].is_unresolved;
	map_free(&failures.by_key);
	map_free(&failures.by_target);
	map_free(&failures.by_id);
	arena_free(&failures.arena);
}

static void
find_current(struct session *t, enum current current, struct str id)
{
	for (uint32_t i = 0; i < t->execution_count; i++) {
		struct execution *execution = &t->execution[i];
		bool is_last = i + 1 == t->execution_count;

		execution->is_over = !is_last || execution->final != NONE;
		execution->is_current =
		    (current == CURRENT_AUTO && !execution->is_over) ||
		    (current == CURRENT_LAST && is_last) ||
		    (current == CURRENT_ID && str_eq(execution->id, id));
	}
}

static bool
execution_has_id(const struct session *t, struct str id)
{
	for (uint32_t i = 0; i < t->execution_count; i++)
		if (str_eq(t->execution[i].id, id))
			return true;
	return false;
}

bool
outcome_find(struct session *t, enum current current, struct str id)
{
	enum fate answer, error;

	walk_end(&t->walk, &answer, &error);
	session_settle(t, answer, error);
	find_current(t, current, id);
	find_unresolved(t);
	return current != CURRENT_ID || execution_has_id(t, id);
}
