#include "policy/normalize/pairs.h"

#include <stdlib.h>

#include "base/mem.h"
#include "json/string.h"
#include "policy/normalize/mend.h"

enum { RECENT_MAX = 4096 }; /* ids of answered calls that are remembered, at least the last group's */

void
pairs_init(struct pairs *pairs)
{
	*pairs = (struct pairs){.agent_count = 0};
	thread_init(&pairs->thread);
}

static void
free_group(struct pair_group *group)
{
	free(group->slot);
	free(group->has_result);
	free(group->twin);
	buf_free(&group->missing);
	buf_free(&group->missing_end);
	buf_free(&group->misplaced);
	free(group);
}

static void
free_list(struct pair_group *group)
{
	while (group != NULL) {
		struct pair_group *older = group->older;

		free_group(group);
		group = older;
	}
}

void
pairs_free(struct pairs *pairs)
{
	free_list(pairs->newest);
	free_list(pairs->unused);
	free(pairs->agent);
	map_free(&pairs->agent_by_key);
	map_free(&pairs->group_by_number);
	map_free(&pairs->recent);
	buf_free(&pairs->scratch);
	thread_free(&pairs->thread);
}

static uint32_t
find_agent(struct pairs *pairs, const struct message *message)
{
	struct json_value name = message->meta[METADATA_PARENT_EXECUTION_ID];
	struct hash key = {0, 0};
	uint64_t found;

	if (name.type == JSON_STRING) {
		if (message->meta[METADATA_AGENT_ID].type == JSON_STRING)
			name = message->meta[METADATA_AGENT_ID];
		key = hash_bytes(json_text(name, &pairs->scratch), (struct hash){11, 11});
	} else if (pairs->agent_count > 0) {
		return 0;
	}
	found = map_get(&pairs->agent_by_key, key);
	if (found != MAP_NONE)
		return (uint32_t)found;
	if (pairs->agent_count == pairs->agent_cap) {
		pairs->agent_cap = (uint32_t)mem_grow(pairs->agent_cap, pairs->agent_count + 1u);
		pairs->agent = mem_realloc(pairs->agent, pairs->agent_cap, sizeof *pairs->agent);
	}
	pairs->agent[pairs->agent_count] = (struct pair_agent){.last_number = THREAD_NONE};
	map_set(&pairs->agent_by_key, key, pairs->agent_count);
	return pairs->agent_count++;
}

static struct hash
number_key(uint32_t number)
{
	return (struct hash){number * UINT64_C(0x9e3779b97f4a7c15), number};
}

static struct pair_group *
new_group(struct pairs *pairs, uint32_t calls)
{
	struct pair_group *group = pairs->unused, fresh = {.calls = calls};

	if (group != NULL) {
		pairs->unused = group->older;
		fresh.slot = group->slot;
		fresh.has_result = group->has_result;
		fresh.cap = group->cap;
		fresh.missing = group->missing;
		fresh.missing_end = group->missing_end;
		fresh.misplaced = group->misplaced;
		buf_reset(&fresh.missing);
		buf_reset(&fresh.missing_end);
		buf_reset(&fresh.misplaced);
	} else {
		group = mem_alloc(1, sizeof *group);
	}
	if (calls > fresh.cap) {
		fresh.cap = calls;
		fresh.slot = mem_realloc(fresh.slot, calls, sizeof *fresh.slot);
		fresh.has_result = mem_realloc(fresh.has_result, calls, sizeof *fresh.has_result);
	}
	memset(fresh.slot, 0, calls * sizeof *fresh.slot);
	memset(fresh.has_result, 0, calls * sizeof *fresh.has_result);
	*group = fresh;
	return group;
}

static void
list_group(struct pairs *pairs, struct pair_group *group)
{
	group->older = pairs->newest;
	if (pairs->newest != NULL)
		pairs->newest->newer = group;
	pairs->newest = group;
	map_set(&pairs->group_by_number, number_key(group->number), (uint64_t)(uintptr_t)group);
}

void
pairs_drop(struct pairs *pairs, struct pair_group *group)
{
	struct pair_agent *agent = &pairs->agent[group->agent];

	if (group->newer != NULL)
		group->newer->older = group->older;
	else
		pairs->newest = group->older;
	if (group->older != NULL)
		group->older->newer = group->newer;
	map_remove(&pairs->group_by_number, number_key(group->number));
	free(group->twin);
	group->twin = NULL;
	if (agent->last == group)
		agent->last = NULL;
	if (agent->writing == group)
		agent->writing = NULL;
	group->older = pairs->unused;
	pairs->unused = group;
}

static struct pair_group *
find_group(const struct pairs *pairs, uint32_t number)
{
	uint64_t found = map_get(&pairs->group_by_number, number_key(number));

	return found == MAP_NONE ? NULL : (struct pair_group *)(uintptr_t)found;
}

static struct hash
id_key(struct pairs *pairs, uint32_t agent, struct json_value id)
{
	return hash_bytes(call_id_text(id, &pairs->scratch), (struct hash){agent, 13});
}

/* Notes that two calls of the message have one id. */
static void
add_twin(struct pair_group *group, uint32_t before, uint32_t call)
{
	if (group->twin == NULL) {
		group->twin = mem_alloc(group->calls, sizeof *group->twin);
		for (uint32_t i = 0; i < group->calls; i++)
			group->twin[i] = (struct pair_twin){i, THREAD_NONE, i};
	}
	group->twin[call].first = group->twin[before].first;
	group->twin[before].next = call;
}

/* The slot of a result that answers the call, or one with its id. */
static uint32_t
take_slot(struct pair_group *group, uint32_t call)
{
	struct pair_twin *first;

	if (group->twin == NULL)
		return call;
	first = &group->twin[group->twin[call].first];
	call = first->due;
	first->due = group->twin[call].next;
	return call;
}

/* Notes the message's calls and what would stand for their results. */
static void
add_calls(struct pairs *pairs, struct pair_group *group, const struct message *message)
{
	struct call_walk walk;
	struct tool_call call;
	uint32_t i = 0;

	if (pairs->recent.count > RECENT_MAX)
		map_free(&pairs->recent);
	call_walk_open(&walk, message);
	for (; call_walk_next(&walk, &call); i++) {
		uint64_t before = map_set(&pairs->recent, id_key(pairs, group->agent, call.id),
		    (uint64_t)group->number << 32 | i);

		if (before != MAP_NONE && before >> 32 == group->number)
			add_twin(group, (uint32_t)before, i);
		mend_missing(message, &call, &group->missing);
		buf_add(&group->missing_end, &group->missing.len, sizeof group->missing.len);
	}
}

/* The agent says something else than the results of its last calls. */
static void
go_on(struct pair_agent *agent)
{
	if (agent->last != NULL)
		agent->last->is_followed = true;
	agent->last = NULL;
	agent->last_number = THREAD_NONE;
	agent->last_slot = 0;
}

static void
open_group(struct pairs *pairs, const struct line *line, const struct message *message,
    struct pair_fact *fact)
{
	struct pair_group *group = new_group(pairs, fact->place.calls);
	struct pair_agent *agent = &pairs->agent[fact->agent];

	group->number = fact->place.group;
	group->agent = fact->agent;
	group->execution = fact->place.execution;
	group->first_call = fact->place.first_call;
	group->file = line->file;
	group->line = line->number;
	add_calls(pairs, group, message);
	list_group(pairs, group);
	agent->last = group;
	agent->last_number = group->number;
	fact->group = group;
}

static void
add_misplaced(struct pair_group *group, enum violation violation, const struct line *line,
    const struct message *message)
{
	struct json_value id = message->tool_call_id;
	struct pair_misplaced misplaced = {.violation = violation, .file = line->file,
	    .line = line->number, .id_len = id.type == JSON_ABSENT ? 0 : id.len};

	buf_add(&group->misplaced, &misplaced, sizeof misplaced);
	buf_add(&group->misplaced, id.ptr, misplaced.id_len);
}

bool
pairs_next_misplaced(const struct pair_group *group, size_t *at, struct pair_misplaced *misplaced,
    struct str *id)
{
	if (*at == group->misplaced.len)
		return false;
	memcpy(misplaced, group->misplaced.ptr + *at, sizeof *misplaced);
	*id = str_of(group->misplaced.ptr + *at + sizeof *misplaced, misplaced->id_len);
	*at += sizeof *misplaced + misplaced->id_len;
	return true;
}

static void
judge_orphan(struct pairs *pairs, const struct message *message, struct pair_fact *fact)
{
	uint64_t recent = map_get(&pairs->recent, id_key(pairs, fact->agent, message->tool_call_id));
	struct pair_agent *agent = &pairs->agent[fact->agent];

	if (agent->last != NULL)
		agent->last->is_followed = true;
	if (pairs->bad_since_user || message_is(message, METADATA_PINNED)) {
		go_on(agent); /* its call may be in the bad line */
		return;
	}
	if (!fact->place.outside) { /* it becomes trace of the user's role */
		pairs->thread.last_is_result = false;
		pairs->has_final = false;
	}
	fact->is_orphan = true;
	fact->violation = recent != MAP_NONE && recent >> 32 == agent->last_number ?
	    VIOLATION_SECOND_RESULT : VIOLATION_ORPHAN_RESULT;
}

static void
judge_result(struct pairs *pairs, const struct line *line, const struct message *message,
    struct pair_fact *fact)
{
	struct pair_agent *agent = &pairs->agent[fact->agent];
	struct pair_group *group = find_group(pairs, fact->place.group);

	if (agent->last_number != fact->place.group)
		go_on(agent);
	if (group == NULL || group->is_frozen)
		return;
	fact->group = group;
	fact->is_result = true;
	fact->slot = take_slot(group, fact->place.answers - group->first_call);
	group->has_result[fact->slot] = true;
	group->answered++;
	if (agent->last_number != group->number)
		add_misplaced(group, VIOLATION_LATE_RESULT, line, message);
	else if (fact->slot < agent->last_slot)
		add_misplaced(group, VIOLATION_RESULT_ORDER, line, message);
	else
		agent->last_slot = fact->slot + 1;
}

/* Keeps whether the running execution would be over: results are written behind their calls, so
 * they follow no answer. */
static void
note_final(struct pairs *pairs, const struct message *message, const struct place *place)
{
	struct json_value kind = message->meta[METADATA_KIND];

	if (place->outside)
		return;
	if (place->execution_began)
		pairs->has_final = false;
	if (message->role == ROLE_TOOL || json_is(kind, STR("summary")) || json_is(kind, STR("trace")))
		return;
	if (place->is_trace)
		pairs->has_final = false;
	else if (message->role == ROLE_ASSISTANT && !place->has_calls && !message_is_blank(message))
		pairs->has_final = true;
}

void
pairs_add(struct pairs *pairs, const struct line *line, const struct message *message,
    struct pair_fact *fact)
{
	const struct place *place = &fact->place;

	*fact = (struct pair_fact){.agent = find_agent(pairs, message)};
	thread_add(&pairs->thread, message, &fact->place);
	note_final(pairs, message, place);
	if (!place->outside && place->origin == ORIGIN_USER) {
		pairs->freeze_from = pairs->thread.group_count;
		pairs->bad_since_user = false;
	}
	if (message->role == ROLE_TOOL && place->answers != THREAD_NONE) {
		judge_result(pairs, line, message, fact);
		return;
	}
	if (message->role == ROLE_TOOL) {
		judge_orphan(pairs, message, fact);
		return;
	}
	go_on(&pairs->agent[fact->agent]);
	if (place->has_calls)
		open_group(pairs, line, message, fact);
}

void
pairs_freeze(struct pairs *pairs)
{
	struct pair_group *group = pairs->newest;

	for (; group != NULL && group->number >= pairs->freeze_from; group = group->older) {
		struct pair_agent *agent = &pairs->agent[group->agent];

		if (group->answered == group->calls)
			continue;
		group->is_frozen = true;
		if (agent->writing == group)
			agent->writing = NULL;
	}
	pairs->freeze_from = pairs->thread.group_count;
	pairs->bad_since_user = true;
}

bool
pairs_may_write(const struct pairs *pairs, const struct pair_fact *fact)
{
	const struct pair_group *writing = pairs->agent[fact->agent].writing;

	return writing == NULL ||
	    (fact->is_result && fact->group == writing && fact->slot == writing->written);
}

void
pairs_wrote(struct pairs *pairs, const struct pair_fact *fact)
{
	struct pair_group *group = fact->group;

	if (group == NULL || group->is_frozen)
		return;
	if (fact->is_result)
		pairs_wrote_slot(pairs, group);
	else
		pairs->agent[group->agent].writing = group;
}

void
pairs_wrote_slot(struct pairs *pairs, struct pair_group *group)
{
	group->slot[group->written++] = NULL;
	if (group->written == group->calls)
		pairs_drop(pairs, group);
}

bool
pairs_is_over(const struct pairs *pairs, const struct pair_group *group, bool whole)
{
	if (whole && group->is_followed)
		return true;
	if (group->execution == THREAD_NONE)
		return group->is_followed;
	return group->execution + 1 != pairs->thread.execution_count || pairs->has_final;
}

struct str
pairs_missing(const struct pair_group *group, uint32_t call)
{
	size_t start = 0, end;

	if (call > 0)
		memcpy(&start, group->missing_end.ptr + (call - 1) * sizeof start, sizeof start);
	memcpy(&end, group->missing_end.ptr + call * sizeof end, sizeof end);
	return str_of(group->missing.ptr + start, end - start);
}
