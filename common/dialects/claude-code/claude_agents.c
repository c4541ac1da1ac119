#include "dialects/claude-code/claude_agents.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/canon.h"
#include "json/string.h"

static struct hash
key_of(struct json_value uuid)
{
	return json_hash(uuid, hash_seed(HASH_MESSAGE_ID));
}

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
claude_agents_init(struct claude_agents *agents)
{
	*agents = (struct claude_agents){.unnamed = CLAUDE_NONE};
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
	map_free(&agents->by_uuid);
	map_free(&agents->said);
	map_free(&agents->copies);
	buf_free(&agents->id);
	buf_free(&agents->scratch);
}

static uint32_t
find_named(struct claude_agents *agents, struct json_value name)
{
	struct hash key = key_of(name);
	uint64_t found = map_get(&agents->by_name, key);

	if (found != MAP_NONE)
		return (uint32_t)found;
	map_set(&agents->by_name, key, agents->count);
	return add_agent(agents, json_text(name, &agents->scratch));
}

/* A line with an unknown parent belongs to the newest unnamed sub-agent. */
static uint32_t
find_unnamed(struct claude_agents *agents, const struct claude_line *line)
{
	uint64_t found = MAP_NONE;

	if (line->parent.type == JSON_STRING)
		found = map_get(&agents->by_uuid, key_of(line->parent));
	if (found != MAP_NONE && found != CLAUDE_MAIN)
		return (uint32_t)found;
	if (line->parent.type == JSON_STRING && found == MAP_NONE && agents->unnamed != CLAUDE_NONE)
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

/* The key of a line by all that it says. */
static struct hash
said_key(struct claude_agents *agents, const struct claude_line *line)
{
	struct hash said = key_of(line->uuid);

	if (line->role.type == JSON_STRING)
		said = json_hash(line->role, said);
	if (line->said.type == JSON_ABSENT)
		return hash_bytes(STR(""), said);
	return json_squeezed_hash(line->said, line->spans, said, &agents->scratch);
}

bool
claude_agents_has(struct claude_agents *agents, const struct claude_line *line)
{
	return map_get(&agents->said, said_key(agents, line)) != MAP_NONE;
}

enum claude_agents_repetition
claude_agents_note(struct claude_agents *agents, const struct claude_line *line)
{
	if (line->uuid.type != JSON_STRING)
		return CLAUDE_NEW;
	if (map_set(&agents->said, said_key(agents, line), 1) != MAP_NONE)
		return CLAUDE_REPEATED;
	return map_set(&agents->by_uuid, key_of(line->uuid), line->agent) == MAP_NONE ?
	    CLAUDE_NEW :
	    CLAUDE_OTHER;
}

struct json_value
claude_agents_name(struct claude_agents *agents, struct json_value uuid, uint32_t agent)
{
	struct hash first = key_of(uuid), key;
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
		key = key_of(made);
	} while (map_get(&agents->by_uuid, key) != MAP_NONE);
	map_set(&agents->copies, first, number);
	map_set(&agents->by_uuid, key, agent);
	return made;
}
