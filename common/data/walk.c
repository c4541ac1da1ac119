#include "data/walk.h"

#include <stdlib.h>

#include "base/mem.h"
#include "json/text.h"

void
walk_init(struct walk *walk)
{
	*walk = (struct walk){.open_free = WALK_NONE};
}

void
walk_set_agent(struct walk *walk, struct str agent)
{
	buf_reset(&walk->agent);
	buf_add_str(&walk->agent, agent);
	walk->started = true;
}

void
walk_free(struct walk *walk)
{
	buf_free(&walk->agent);
	buf_free(&walk->execution_id);
	buf_free(&walk->scratch);
	map_free(&walk->open_by_id);
	free(walk->open);
	free(walk->call);
}

struct str
walk_execution_id(const struct walk *walk)
{
	return buf_str(&walk->execution_id);
}

/* Whose message it is: "" is the main agent's. A child without a name goes by its parent run. */
static struct str
agent_of(struct walk *walk, const struct message *message)
{
	struct json_value parent = message->meta[METADATA_PARENT_EXECUTION_ID];
	struct json_value agent = message->meta[METADATA_AGENT_ID];

	if (parent.type != JSON_STRING)
		return STR("");
	return json_text(agent.type == JSON_STRING ? agent : parent, &walk->scratch);
}

static struct hash
id_key(struct walk *walk, const struct message *message, struct json_value id)
{
	struct hash seed = hash_bytes(agent_of(walk, message), hash_seed(HASH_AGENT));

	return hash_bytes(call_id_text(id, &walk->scratch), seed);
}

static enum origin
derive_origin(const struct message *message, bool has_calls)
{
	enum origin said = message_origin(message);

	if (said != ORIGIN_NONE)
		return said;
	if (json_is(message->meta[METADATA_KIND], STR("summary")))
		return ORIGIN_SUMMARY;
	switch (message->role) {
	case ROLE_USER:
		return ORIGIN_USER;
	case ROLE_TOOL:
		return ORIGIN_TOOL_RESULT;
	case ROLE_ASSISTANT:
		return has_calls ? ORIGIN_TOOL_CALL : ORIGIN_ASSISTANT;
	default:
		return ORIGIN_SYSTEM;
	}
}

static uint32_t
new_open(struct walk *walk)
{
	uint32_t slot = walk->open_free;

	if (slot != WALK_NONE) {
		walk->open_free = walk->open[slot].older;
		return slot;
	}
	if (walk->open_used == walk->open_cap) {
		walk->open_cap = (uint32_t)mem_grow(walk->open_cap, walk->open_used + 1u);
		walk->open = mem_realloc(walk->open, walk->open_cap, sizeof *walk->open);
	}
	return walk->open_used++;
}

static void
open_call(struct walk *walk, struct hash key, const struct place *place)
{
	uint32_t slot = new_open(walk);
	uint64_t older = map_set(&walk->open_by_id, key, slot);

	walk->open[slot] = (struct open_call){
	    older == MAP_NONE ? WALK_NONE : (uint32_t)older,
	    walk->call_count++, walk->group_count, place->execution};
}

/* Lists the message's calls. */
static void
list_calls(struct walk *walk, const struct message *message, struct place *place)
{
	struct call_walk calls;
	struct tool_call call;

	call_walk_open(&calls, message);
	while (call_walk_next(&calls, &call)) {
		if (place->calls == walk->call_cap) {
			walk->call_cap = mem_grow(walk->call_cap, walk->call_cap + 1);
			walk->call = mem_realloc(walk->call, walk->call_cap, sizeof *walk->call);
		}
		walk->call[place->calls++] = call;
	}
	place->has_calls = place->calls > 0;
}

static void
open_calls(struct walk *walk, const struct message *message, struct place *place)
{
	place->first_call = walk->call_count;
	for (uint32_t i = 0; i < place->calls; i++)
		open_call(walk, id_key(walk, message, walk->call[i].id), place);
	place->group = walk->group_count++;
	if (!place->outside)
		walk->run_open += place->calls;
}

/* The nearest earlier call with the result's id that has no result yet. */
static void
answer_call(struct walk *walk, const struct message *message, struct place *place)
{
	struct hash key = id_key(walk, message, message->tool_call_id);
	uint64_t slot = map_get(&walk->open_by_id, key);
	struct open_call *open;

	if (slot == MAP_NONE)
		return;
	open = &walk->open[slot];
	place->answers = open->call;
	place->group = open->group;
	place->is_late = open->execution + 1 != walk->execution_count;
	if (!place->outside && !place->is_late)
		walk->run_open--;
	if (open->older == WALK_NONE)
		map_remove(&walk->open_by_id, key);
	else
		map_set(&walk->open_by_id, key, open->older);
	open->older = walk->open_free;
	walk->open_free = (uint32_t)slot;
}

static void
begin_execution(struct walk *walk, struct place *place)
{
	walk->execution_count++;
	walk->run_open = 0;
	place->execution_began = true;
}

static void
begin_derived(struct walk *walk, struct place *place, uint32_t number)
{
	buf_reset(&walk->execution_id);
	buf_add_fmt(&walk->execution_id, "#%u", number);
	begin_execution(walk, place);
}

/* An id that a derived one was written as, "#7": those derived later go on behind it. */
static void
skip_derived(struct walk *walk, struct str id)
{
	uint32_t number = 0;

	if (id.len < 2 || id.len > 10 || id.ptr[0] != '#')
		return;
	for (size_t i = 1; i < id.len; i++) {
		if (id.ptr[i] < '0' || id.ptr[i] > '9')
			return;
		number = number * 10 + (uint32_t)(id.ptr[i] - '0');
	}
	if (number > walk->derived_count)
		walk->derived_count = number;
}

static void
join_execution(struct walk *walk, const struct message *message, struct place *place)
{
	struct json_value id = message->meta[METADATA_EXECUTION_ID];
	bool running = walk->execution_count > 0;
	bool waiting = running && walk->last_is_result && walk->run_open == 0;

	if (place->answers != WALK_NONE) {
		place->execution = walk->execution_count - 1;
		return;
	}
	if (id.type == JSON_STRING) {
		struct str text = json_text(id, &walk->scratch);

		if (!running || !str_eq(text, buf_str(&walk->execution_id))) {
			buf_reset(&walk->execution_id);
			buf_add_str(&walk->execution_id, text);
			skip_derived(walk, text);
			begin_execution(walk, place);
		}
	} else if (place->origin == ORIGIN_USER) {
		place->steers = waiting;
		if (!waiting)
			begin_derived(walk, place, ++walk->derived_count);
	} else if (!running) {
		begin_derived(walk, place, 0);
	}
	place->execution = walk->execution_count - 1;
}

static void
set_inside(struct walk *walk, const struct message *message, struct place *place)
{
	join_execution(walk, message, place);
	if (place->origin == ORIGIN_USER)
		walk->turn_count++;
	place->turn = walk->turn_count;
	if (!place->is_late)
		walk->last_is_result = place->answers != WALK_NONE;
}

void
walk_add(struct walk *walk, const struct message *message, struct place *place)
{
	struct str agent = agent_of(walk, message);
	int trace = message_flag(message, METADATA_IS_TRACE);

	*place = (struct place){.execution = WALK_NONE, .turn = WALK_NONE,
	    .group = WALK_NONE, .answers = WALK_NONE};
	if (!walk->started)
		walk_set_agent(walk, agent);
	place->outside = !str_eq(agent, buf_str(&walk->agent));
	list_calls(walk, message, place);
	place->origin = derive_origin(message, place->has_calls);
	place->is_trace = trace >= 0 ? trace : message->role == ROLE_TOOL || place->has_calls;
	if (message->role == ROLE_TOOL)
		answer_call(walk, message, place);
	if (!place->outside)
		set_inside(walk, message, place);
	if (place->has_calls)
		open_calls(walk, message, place);
}
