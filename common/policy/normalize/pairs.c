#include "policy/normalize/pairs.h"

#include <stdlib.h>

#include "base/list.h"

enum { RECENT_MAX = 512 }; /* call ids that are remembered, beside those of the last group */

void
pairs_init(struct pairs *pairs, bool whole)
{
	*pairs = (struct pairs){.whole = whole};
	walk_init(&pairs->walk);
	pairs->walk.is_flat = true;
}

void
pairs_free(struct pairs *pairs)
{
	pair_group_free_list(pairs->newest);
	pair_group_free_list(pairs->forgotten);
	pair_group_free_list(pairs->unused);
	free(pairs->agent);
	map_free(&pairs->group_by_number);
	map_free(&pairs->group_by_id);
	map_free(&pairs->recent);
	buf_free(&pairs->scratch);
	walk_free(&pairs->walk);
}

void
pairs_reset(struct pairs *pairs)
{
	enum walk_steering steering = pairs->walk.steering;
	bool whole = pairs->whole;

	pairs_free(pairs);
	pairs_init(pairs, whole);
	pairs->walk.steering = steering;
}

static struct hash
number_key(uint32_t number)
{
	return hash_number(number, hash_seed(HASH_GROUP));
}

/* The newest incomplete group whose message has the id of that key, or NULL. */
static struct pair_group *
find_named(const struct pairs *pairs, struct hash id)
{
	uint64_t found = map_get(&pairs->group_by_id, id);

	return found == MAP_NONE ? NULL : (struct pair_group *)(uintptr_t)found;
}

static void
unlist_group(struct pairs *pairs, struct pair_group *group)
{
	struct pair_agent *agent = &pairs->agent[group->agent];

	if (group->newer != NULL)
		group->newer->older = group->older;
	else
		pairs->newest = group->older;
	if (group->older != NULL)
		group->older->newer = group->newer;
	if (pairs->group_by_number.count > 0)
		map_remove(&pairs->group_by_number, number_key(group->number));
	if (group->has_id && find_named(pairs, group->id) == group)
		map_remove(&pairs->group_by_id, group->id);
	if (agent->last == group)
		agent->last = NULL;
	if (agent->writing == group)
		agent->writing = NULL;
}

void
pairs_drop(struct pairs *pairs, struct pair_group *group)
{
	unlist_group(pairs, group);
	free(group->twin);
	group->twin = NULL;
	group->older = pairs->unused;
	pairs->unused = group;
}

static struct pair_group *
find_group(const struct pairs *pairs, uint32_t number)
{
	uint64_t found;

	if (pairs->newest != NULL && pairs->newest->number == number)
		return pairs->newest;
	if (pairs->group_by_number.count == 0)
		return NULL;
	found = map_get(&pairs->group_by_number, number_key(number));
	return found == MAP_NONE ? NULL : (struct pair_group *)(uintptr_t)found;
}

static struct hash
id_key(struct pairs *pairs, uint32_t agent, struct json_value id)
{
	return call_id_key(call_id_text(id, &pairs->scratch), agent);
}

/* Notes the message's calls, and the texts for results that stay missing. */
static void
add_calls(struct pairs *pairs, struct pair_group *group, const struct message *message)
{
	if (pairs->recent.count > RECENT_MAX)
		map_free(&pairs->recent);
	for (uint32_t i = 0; i < group->calls; i++) {
		const struct tool_call *call = &pairs->walk.call[i];
		uint64_t before = map_set(&pairs->recent, id_key(pairs, group->agent, call->id),
		    (uint64_t)group->number << 32 | i);

		pair_group_add_call(group, message, call);
		if (before != MAP_NONE && before >> 32 == group->number)
			pair_group_add_twin(group, (uint32_t)before, i);
	}
}

/* The agent went on: this message is no result of its last calls. */
static void
go_on(struct pair_agent *agent)
{
	if (agent->last != NULL)
		agent->last->is_followed = true;
	agent->last = NULL;
	agent->last_number = WALK_NONE;
	agent->last_slot = 0;
}

static void
open_group(struct pairs *pairs, const struct line *line, const struct message *message,
    struct pair_fact *fact)
{
	struct pair_group *group = pair_group_new(&pairs->unused, fact->verdict.calls);
	struct pair_agent *agent = &pairs->agent[fact->verdict.agent];

	group->number = fact->verdict.group;
	group->agent = fact->verdict.agent;
	group->execution = pairs->begun;
	group->is_outside = fact->verdict.outside;
	group->first_call = fact->verdict.first_call;
	group->file = line->file;
	group->line = line->number;
	group->has_id = message->meta[METADATA_ID].type == JSON_STRING;
	if (group->has_id)
		group->id = record_id_hash(message->meta[METADATA_ID]);
	add_calls(pairs, group, message);
	group->older = pairs->newest;
	if (group->older != NULL) {
		group->older->newer = group;
		map_set(&pairs->group_by_number, number_key(group->older->number),
		    (uint64_t)(uintptr_t)group->older);
	}
	pairs->newest = group;
	if (group->has_id)
		map_set(&pairs->group_by_id, group->id, (uint64_t)(uintptr_t)group);
	agent->last = group;
	agent->last_number = group->number;
	fact->group = group;
}

static void
judge_orphan(struct pairs *pairs, const struct message *message, struct pair_fact *fact)
{
	uint64_t recent =
	    map_get(&pairs->recent, id_key(pairs, fact->verdict.agent, message->tool_call_id));
	struct pair_agent *agent = &pairs->agent[fact->verdict.agent];

	if (agent->last != NULL)
		agent->last->is_followed = true;
	if (pairs->bad_since_user || (!pairs->whole && message_is(message, METADATA_PINNED))) {
		go_on(agent); /* the call of the result may be in the bad line */
		return;
	}
	if (agent->last != NULL)
		agent->last->has_orphan = true;
	fact->is_orphan = true;
	fact->violation = recent != MAP_NONE && recent >> 32 == agent->last_number ?
	    VIOLATION_SECOND_RESULT :
	    VIOLATION_ORPHAN_RESULT;
}

static void
misplace(struct pair_group *group, enum violation violation, const struct line *line,
    const struct message *message)
{
	struct json_value id = message->tool_call_id;
	struct violation_finding finding = {violation, line->file, line->number,
	    id.type == JSON_ABSENT ? STR("\"\"") : json_span(id)};

	group->is_disordered = true;
	violation_list_add(&group->misplaced, &finding);
}

static void
judge_result(struct pairs *pairs, const struct line *line, const struct message *message,
    struct pair_fact *fact)
{
	struct pair_agent *agent = &pairs->agent[fact->verdict.agent];
	struct pair_group *group = find_group(pairs, fact->verdict.group);

	if (group == NULL) { /* the call is forgotten */
		judge_orphan(pairs, message, fact);
		return;
	}
	if (agent->last_number != fact->verdict.group)
		go_on(agent);
	if (group->state == PAIR_LEFT)
		return;
	group->is_disordered |= group->has_orphan;
	fact->group = group;
	fact->is_result = true;
	fact->slot = pair_group_take_slot(group, fact->verdict.answers - group->first_call);
	group->has_result[fact->slot] = true;
	if (++group->answered == group->calls)
		group->state = PAIR_WHOLE;
	if (agent->last_number != group->number)
		misplace(group, VIOLATION_LATE_RESULT, line, message);
	else if (fact->slot < agent->last_slot)
		misplace(group, VIOLATION_RESULT_ORDER, line, message);
	else
		agent->last_slot = fact->slot + 1;
}

/* The walk, which nests nothing, says that an execution began with the message. */
static void
begin_execution(struct pairs *pairs, const struct message *message)
{
	struct hash key = hash_bytes(walk_execution_id(&pairs->walk), hash_seed(HASH_EXECUTION));

	/* A result that answers no call becomes marked trace. */
	if (message->role == ROLE_TOOL || message_is(message, METADATA_IS_TRACE) ||
	    hash_eq(key, pairs->begun_key))
		return;
	pairs->begun++;
	pairs->begun_key = key;
}

void
pairs_add(struct pairs *pairs, const struct line *line, const struct message *message,
    struct pair_fact *fact)
{
	const struct verdict *verdict = &fact->verdict;

	/* Of very many sessions they are seldom in the processor's cache. */
	__builtin_prefetch(pairs->agent, 1);
	__builtin_prefetch(pairs->newest != NULL ? pairs->newest : pairs->unused, 1);
	*fact = (struct pair_fact){.group = NULL};
	walk_add(&pairs->walk, message, &fact->verdict);
	while (pairs->agent_count <= verdict->agent) {
		LIST_ADD(pairs->agent, pairs->agent_count, pairs->agent_cap,
		    (struct pair_agent){.last_number = WALK_NONE});
	}
	if (verdict->execution_began)
		begin_execution(pairs, message);
	if (!verdict->outside && verdict->origin == ORIGIN_USER) {
		pairs->freeze_from = pairs->walk.group_count;
		pairs->bad_since_user = false;
	}
	if (message->role == ROLE_TOOL && verdict->answers != WALK_NONE) {
		judge_result(pairs, line, message, fact);
		return;
	}
	if (message->role == ROLE_TOOL) {
		judge_orphan(pairs, message, fact);
		return;
	}
	go_on(&pairs->agent[fact->verdict.agent]);
	if (verdict->has_calls)
		open_group(pairs, line, message, fact);
}

void
pairs_leave(struct pairs *pairs, struct pair_group *group)
{
	struct pair_agent *agent = &pairs->agent[group->agent];

	group->state = PAIR_LEFT;
	if (agent->writing == group)
		agent->writing = NULL;
}

void
pairs_forget(struct pairs *pairs, struct json_value id)
{
	struct pair_group *group = find_named(pairs, record_id_hash(id));

	if (group == NULL || group->state != PAIR_WAITING)
		return;
	group->state = PAIR_LEFT;
	unlist_group(pairs, group);
	group->older = pairs->forgotten;
	pairs->forgotten = group;
}

void
pairs_freeze(struct pairs *pairs)
{
	struct pair_group *group = pairs->newest;

	for (; group != NULL && group->number >= pairs->freeze_from; group = group->older)
		if (group->state == PAIR_WAITING)
			pairs_leave(pairs, group);
	pairs->freeze_from = pairs->walk.group_count;
	pairs->bad_since_user = true;
}

bool
pairs_may_write(const struct pairs *pairs, const struct pair_fact *fact)
{
	const struct pair_group *writing = pairs->agent[fact->verdict.agent].writing;

	return writing == NULL ||
	    (fact->is_result && fact->group == writing && fact->slot == writing->written);
}

void
pairs_wrote(struct pairs *pairs, const struct pair_fact *fact)
{
	struct pair_group *group = fact->group;

	if (group == NULL || group->state == PAIR_LEFT)
		return;
	if (fact->is_result)
		pairs_wrote_slot(pairs, group);
	else
		pairs->agent[group->agent].writing = group;
}

void
pairs_wrote_slot(struct pairs *pairs, struct pair_group *group)
{
	group->slot[group->written++] = QUEUE_NONE;
	if (group->written == group->calls)
		pairs_drop(pairs, group);
}

bool
pairs_is_over(const struct pairs *pairs, const struct pair_group *group)
{
	enum fate answer, error;

	if (pairs->whole && group->is_followed)
		return true;
	if (group->is_outside)
		return group->is_followed;
	return walk_end(&pairs->walk, &answer, &error) || group->execution != pairs->begun;
}
