#include "data/thread.h"

#include <stdlib.h>

#include "base/mem.h"
#include "json/string.h"

void
thread_init(struct thread *thread)
{
	*thread = (struct thread){.open_free = THREAD_NONE};
}

void
thread_set_agent(struct thread *thread, struct str agent)
{
	buf_reset(&thread->agent);
	buf_add_str(&thread->agent, agent);
	thread->started = true;
}

void
thread_free(struct thread *thread)
{
	buf_free(&thread->agent);
	buf_free(&thread->execution_id);
	buf_free(&thread->scratch);
	map_free(&thread->open_by_id);
	free(thread->open);
	free(thread->call);
}

struct str
thread_execution_id(const struct thread *thread)
{
	return buf_str(&thread->execution_id);
}

/* Whose message it is: "" is the main agent's. A child without a name goes by its parent run. */
static struct str
agent_of(struct thread *thread, const struct message *message)
{
	struct json_value parent = message->meta[METADATA_PARENT_EXECUTION_ID];
	struct json_value agent = message->meta[METADATA_AGENT_ID];

	if (parent.type != JSON_STRING)
		return STR("");
	return json_text(agent.type == JSON_STRING ? agent : parent, &thread->scratch);
}

static struct hash
id_key(struct thread *thread, const struct message *message, struct json_value id)
{
	struct hash seed = hash_bytes(agent_of(thread, message), (struct hash){1, 1});

	return hash_bytes(call_id_text(id, &thread->scratch), seed);
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
new_open(struct thread *thread)
{
	uint32_t slot = thread->open_free;

	if (slot != THREAD_NONE) {
		thread->open_free = thread->open[slot].older;
		return slot;
	}
	if (thread->open_used == thread->open_cap) {
		thread->open_cap = (uint32_t)mem_grow(thread->open_cap, thread->open_used + 1u);
		thread->open = mem_realloc(thread->open, thread->open_cap, sizeof *thread->open);
	}
	return thread->open_used++;
}

static void
open_call(struct thread *thread, struct hash key, const struct place *place)
{
	uint32_t slot = new_open(thread);
	uint64_t older = map_set(&thread->open_by_id, key, slot);

	thread->open[slot] = (struct open_call){
	    older == MAP_NONE ? THREAD_NONE : (uint32_t)older,
	    thread->call_count++, thread->group_count, place->execution};
}

/* Lists the message's calls. */
static void
list_calls(struct thread *thread, const struct message *message, struct place *place)
{
	struct call_walk walk;
	struct tool_call call;

	call_walk_open(&walk, message);
	while (call_walk_next(&walk, &call)) {
		if (place->calls == thread->call_cap) {
			thread->call_cap = mem_grow(thread->call_cap, thread->call_cap + 1);
			thread->call = mem_realloc(thread->call, thread->call_cap, sizeof *thread->call);
		}
		thread->call[place->calls++] = call;
	}
	place->has_calls = place->calls > 0;
}

static void
open_calls(struct thread *thread, const struct message *message, struct place *place)
{
	place->first_call = thread->call_count;
	for (uint32_t i = 0; i < place->calls; i++)
		open_call(thread, id_key(thread, message, thread->call[i].id), place);
	place->group = thread->group_count++;
	if (!place->outside)
		thread->run_open += place->calls;
}

/* The nearest earlier call with the result's id that has no result yet. */
static void
answer_call(struct thread *thread, const struct message *message, struct place *place)
{
	struct hash key = id_key(thread, message, message->tool_call_id);
	uint64_t slot = map_get(&thread->open_by_id, key);
	struct open_call *open;

	if (slot == MAP_NONE)
		return;
	open = &thread->open[slot];
	place->answers = open->call;
	place->group = open->group;
	place->is_late = open->execution + 1 != thread->execution_count;
	if (!place->outside && !place->is_late)
		thread->run_open--;
	if (open->older == THREAD_NONE)
		map_remove(&thread->open_by_id, key);
	else
		map_set(&thread->open_by_id, key, open->older);
	open->older = thread->open_free;
	thread->open_free = (uint32_t)slot;
}

static void
begin_execution(struct thread *thread, struct place *place)
{
	thread->execution_count++;
	thread->run_open = 0;
	place->execution_began = true;
}

static void
begin_derived(struct thread *thread, struct place *place, uint32_t number)
{
	buf_reset(&thread->execution_id);
	buf_add_fmt(&thread->execution_id, "#%u", number);
	begin_execution(thread, place);
}

/* An id that a derived one was written as, "#7": those derived later go on behind it. */
static void
skip_derived(struct thread *thread, struct str id)
{
	uint32_t number = 0;

	if (id.len < 2 || id.len > 10 || id.ptr[0] != '#')
		return;
	for (size_t i = 1; i < id.len; i++) {
		if (id.ptr[i] < '0' || id.ptr[i] > '9')
			return;
		number = number * 10 + (uint32_t)(id.ptr[i] - '0');
	}
	if (number > thread->derived_count)
		thread->derived_count = number;
}

static void
join_execution(struct thread *thread, const struct message *message, struct place *place)
{
	struct json_value id = message->meta[METADATA_EXECUTION_ID];
	bool running = thread->execution_count > 0;
	bool waiting = running && thread->last_is_result && thread->run_open == 0;

	if (place->answers != THREAD_NONE) {
		place->execution = thread->execution_count - 1;
		return;
	}
	if (id.type == JSON_STRING) {
		struct str text = json_text(id, &thread->scratch);

		if (!running || !str_eq(text, buf_str(&thread->execution_id))) {
			buf_reset(&thread->execution_id);
			buf_add_str(&thread->execution_id, text);
			skip_derived(thread, text);
			begin_execution(thread, place);
		}
	} else if (place->origin == ORIGIN_USER) {
		place->steers = waiting;
		if (!waiting)
			begin_derived(thread, place, ++thread->derived_count);
	} else if (!running) {
		begin_derived(thread, place, 0);
	}
	place->execution = thread->execution_count - 1;
}

static void
set_inside(struct thread *thread, const struct message *message, struct place *place)
{
	join_execution(thread, message, place);
	if (place->origin == ORIGIN_USER)
		thread->turn_count++;
	place->turn = thread->turn_count;
	if (!place->is_late)
		thread->last_is_result = place->answers != THREAD_NONE;
}

void
thread_add(struct thread *thread, const struct message *message, struct place *place)
{
	struct str agent = agent_of(thread, message);
	int trace = message_flag(message, METADATA_IS_TRACE);

	*place = (struct place){.execution = THREAD_NONE, .turn = THREAD_NONE,
	    .group = THREAD_NONE, .answers = THREAD_NONE};
	if (!thread->started)
		thread_set_agent(thread, agent);
	place->outside = !str_eq(agent, buf_str(&thread->agent));
	list_calls(thread, message, place);
	place->origin = derive_origin(message, place->has_calls);
	place->is_trace = trace >= 0 ? trace : message->role == ROLE_TOOL || place->has_calls;
	if (message->role == ROLE_TOOL)
		answer_call(thread, message, place);
	if (!place->outside)
		set_inside(thread, message, place);
	if (place->has_calls)
		open_calls(thread, message, place);
}
