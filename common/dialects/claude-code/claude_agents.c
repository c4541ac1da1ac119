#include "dialects/claude-code/claude_agents.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"

static uint32_t
add_agent(struct claude_agents *agents, struct str name)
{
	struct claude_agent *agent;

	LIST_ROOM(agents->list, agents->count, agents->cap);
	agent = &agents->list[agents->count];
	*agent = (struct claude_agent){.open = NULL, .caller = CLAUDE_TREE_NONE};
	if (agents->count > CLAUDE_MAIN) {
		agent->thread = mem_alloc(1, sizeof *agent->thread);
		*agent->thread = (struct claude_thread)CLAUDE_THREAD_INIT;
	}
	buf_add_str(&agent->name, name);
	return agents->count++;
}

void
claude_agents_init(struct claude_agents *agents, struct claude_uuids *uuids, uint32_t session)
{
	*agents = (struct claude_agents){
	    .unnamed = CLAUDE_UUIDS_NONE, .uuids = uuids, .session = session};
	add_agent(agents, STR(""));
}

void
claude_agents_free(struct claude_agents *agents)
{
	for (uint32_t i = 0; i < agents->count; i++) {
		buf_free(&agents->list[i].name);
		buf_free(&agents->list[i].parent);
		free(agents->list[i].thread);
	}
	free(agents->list);
	map_free(&agents->by_name);
	map_free(&agents->said);
	map_free(&agents->copies);
	buf_free(&agents->id);
	buf_free(&agents->scratch);
}

static uint32_t
find_named(struct claude_agents *agents, struct json_value name)
{
	struct hash key = claude_uuids_key(name);
	uint64_t found = map_get(&agents->by_name, key);

	if (found != MAP_NONE)
		return (uint32_t)found;
	map_set(&agents->by_name, key, agents->count);
	return add_agent(agents, json_text(name, &agents->scratch));
}

/* The agent of the last line with that uuid, or CLAUDE_UUIDS_NONE. */
static uint32_t
agent_of(const struct claude_agents *agents, struct hash key)
{
	const struct claude_uuid *uuid = claude_uuids_find(agents->uuids, key, agents->session);

	return uuid != NULL ? uuid->agent : CLAUDE_UUIDS_NONE;
}

/* A line with an unknown parent belongs to the newest unnamed sub-agent. */
static uint32_t
find_unnamed(struct claude_agents *agents, const struct claude_line *line)
{
	uint32_t found = agent_of(agents, claude_uuids_key(line->parent));

	if (found != CLAUDE_UUIDS_NONE && found != CLAUDE_MAIN)
		return found;
	if (line->parent.type == JSON_STRING && found == CLAUDE_UUIDS_NONE &&
	    agents->unnamed != CLAUDE_UUIDS_NONE)
		return agents->unnamed;
	agents->unnamed =
	    line->uuid.type == JSON_STRING ? find_named(agents, line->uuid) : CLAUDE_MAIN;
	return agents->unnamed;
}

uint32_t
claude_agents_find(struct claude_agents *agents, const struct claude_line *line)
{
	if (line->sidechain.type == JSON_FALSE)
		return CLAUDE_MAIN;
	if (line->agent_id.type == JSON_STRING)
		return find_named(agents, line->agent_id);
	return line->sidechain.type == JSON_TRUE ? find_unnamed(agents, line) : CLAUDE_MAIN;
}

bool
claude_agents_has(const struct claude_agents *agents, const struct claude_line *line)
{
	const struct claude_uuid *uuid =
	    claude_uuids_find(agents->uuids, line->key, agents->session);

	return uuid != NULL &&
	    (hash_eq(uuid->said, line->all) || map_get(&agents->said, line->all) != MAP_NONE);
}

enum claude_agents_repetition
claude_agents_note(struct claude_agents *agents, const struct claude_line *line)
{
	struct claude_uuid *uuid;
	bool is_new;

	if (line->uuid.type != JSON_STRING)
		return CLAUDE_NEW;
	uuid = claude_uuids_add(agents->uuids, line->key, agents->session);
	is_new = uuid->agent == CLAUDE_UUIDS_NONE;
	if (is_new)
		uuid->said = line->all;
	else if (hash_eq(uuid->said, line->all) || map_set(&agents->said, line->all, 1) != MAP_NONE)
		return CLAUDE_REPEATED;
	uuid->agent = line->agent;
	return is_new ? CLAUDE_NEW : CLAUDE_OTHER;
}

struct json_value
claude_agents_name(struct claude_agents *agents, struct json_value uuid, uint32_t agent)
{
	struct hash first = claude_uuids_key(uuid), key;
	uint64_t number = map_get(&agents->copies, first);
	struct json_value made = uuid;

	if (number == MAP_NONE)
		number = 1;
	do {
		buf_reset(&agents->id);
		buf_add_char(&agents->id, '"');
		buf_add_str(&agents->id, json_inner(uuid));
		buf_add_fmt(&agents->id, "-%ju\"", (uintmax_t)++number);
		made.ptr = agents->id.ptr;
		made.len = (uint32_t)agents->id.len;
		key = claude_uuids_key(made);
	} while (agent_of(agents, key) != CLAUDE_UUIDS_NONE);
	map_set(&agents->copies, first, number);
	claude_uuids_add(agents->uuids, key, agents->session)->agent = agent;
	return made;
}
