#include "policy/route.h"

#include <stdlib.h>

#include "base/mem.h"
#include "json/text.h"
#include "json/write.h"

struct route_call {
	uint32_t execution;
	bool in_buffer;
	uint32_t name_len;    /* of the tool name, a JSON string; 0: not told */
	uint32_t section_len; /* of the section, a JSON string, behind it */
	char bytes[];
};

static const struct str in_messages = STR_INIT("\"messages\"");
static const struct str in_buffer = STR_INIT("\"execution_buffer\"");

void
route_init(struct route *route)
{
	*route = (struct route){0};
	walk_init(&route->walk);
}

void
route_set_execution(struct route *route, struct str id)
{
	json_write_string(&route->given_id, id);
	buf_pad(&route->given_id);
}

void
route_free(struct route *route)
{
	for (size_t i = 0; i < route->open.cap; i++)
		if (route->open.slot[i].value != MAP_NONE)
			free((void *)(uintptr_t)route->open.slot[i].value);
	map_free(&route->open);
	walk_free(&route->walk);
	buf_free(&route->given_id);
	buf_free(&route->execution_id);
	buf_free(&route->origin);
	free(route->answered);
}

static bool
is_missing(const struct message *message, enum metadata_name name)
{
	return message->meta[name].type == JSON_ABSENT || message->meta[name].type == JSON_NULL;
}

static void
add_member(const struct message *message, struct route_step *step, enum metadata_name name,
    struct str value)
{
	if (value.len > 0 && is_missing(message, name))
		step->member[step->count++] = (struct metadata_member){name, value};
}

/* The walk, in which a message without an id has the one that was given. */
static void
walk(struct route *route, struct message *message, struct verdict *verdict)
{
	struct json_value said = message->meta[METADATA_EXECUTION_ID];

	if (route->given_id.len > 0 && is_missing(message, METADATA_EXECUTION_ID))
		message->meta[METADATA_EXECUTION_ID] = json_value_at(route->given_id.ptr);
	walk_add(&route->walk, message, verdict);
	message->meta[METADATA_EXECUTION_ID] = said;
	if (!verdict->execution_began)
		return;
	buf_reset(&route->execution_id);
	json_write_string(&route->execution_id, walk_execution_id(&route->walk));
}

static struct hash
call_key(uint32_t call)
{
	return hash_number(call, hash_seed(HASH_CALL));
}

/* Forgets the call that the message answers, but for as long as the message is at hand. */
static void
find_call(struct route *route, const struct verdict *verdict)
{
	free(route->answered);
	route->answered = NULL;
	if (verdict->answers == WALK_NONE)
		return;
	route->answered =
	    (struct route_call *)(uintptr_t)map_get(&route->open, call_key(verdict->answers));
	map_remove(&route->open, call_key(verdict->answers));
}

static void
keep_call(struct route *route, uint32_t number, const struct verdict *verdict, struct str name,
    struct str section)
{
	struct route_call *call = mem_alloc(1, sizeof *call + name.len + section.len);

	*call = (struct route_call){verdict->execution, str_eq(section, in_buffer),
	    (uint32_t)name.len, (uint32_t)section.len};
	memcpy(call->bytes, name.ptr, name.len);
	memcpy(call->bytes + name.len, section.ptr, section.len);
	map_set(&route->open, call_key(number), (uint64_t)(uintptr_t)call);
}

static struct str
name_of(const struct tool_call *call)
{
	return call->name.type == JSON_STRING ? json_span(call->name) : STR("");
}

static void
keep_calls(struct route *route, const struct message *message, const struct verdict *verdict,
    struct str section)
{
	uint32_t number = verdict->first_call;
	struct call_walk calls;
	struct tool_call call;

	call_walk_open(&calls, message);
	while (call_walk_next(&calls, &call))
		keep_call(route, number++, verdict, name_of(&call), section);
}

/* The tool of a result's call, or of all calls of a message when it is the same; "" otherwise. */
static struct str
tool_name(const struct route *route, const struct message *message)
{
	struct str name = STR("");
	struct call_walk calls;
	struct tool_call call;

	if (route->answered != NULL)
		return str_of(route->answered->bytes, route->answered->name_len);
	call_walk_open(&calls, message);
	if (call_walk_next(&calls, &call))
		name = name_of(&call);
	while (call_walk_next(&calls, &call))
		if (!str_eq(name, name_of(&call)))
			return STR("");
	return name;
}

/* The section as a JSON string: what the message says, a result's call's, or what it is. */
static struct str
section_of(const struct route *route, const struct message *message, const struct verdict *verdict)
{
	struct json_value said = message->meta[METADATA_SECTION];
	const struct route_call *call = route->answered;

	if (json_is(said, STR("execution_buffer")))
		return in_buffer;
	if (said.type == JSON_STRING)
		return json_span(said);
	if (call != NULL)
		return str_of(call->bytes + call->name_len, call->section_len);
	if (!route->separate_trace || message_is_artifact(message))
		return in_messages;
	if (verdict->is_trace)
		return in_buffer;
	/* What an assistant message without calls and text holds is thought, not conversation. */
	if (verdict->origin == ORIGIN_ASSISTANT && !verdict->has_calls && message_is_blank(message))
		return in_buffer;
	return in_messages;
}

/* What is told of a candidate only when it is decided. */
static void
add_fate(const struct message *message, struct route_step *step, bool is_trace, struct str section)
{
	if (is_trace)
		add_member(message, step, METADATA_IS_TRACE, STR("true"));
	add_member(message, step, METADATA_SECTION, section);
}

void
route_add(struct route *route, struct message *message, struct route_step *step)
{
	const struct verdict *verdict = &step->verdict;
	struct str section;

	memset(step, 0, sizeof *step);
	walk(route, message, &step->verdict);
	find_call(route, verdict);
	section = section_of(route, message, verdict);
	step->in_buffer = route->answered != NULL ? route->answered->in_buffer :
	    str_eq(section, in_buffer) && message->role != ROLE_OTHER;
	step->is_candidate = verdict->is_answer && route->separate_trace &&
	    is_missing(message, METADATA_SECTION) && is_missing(message, METADATA_IS_TRACE);
	if (verdict->has_calls)
		keep_calls(route, message, verdict, section);
	if (verdict->outside || message->role == ROLE_OTHER || message_is_artifact(message))
		return;
	buf_reset(&route->origin);
	json_write_string(&route->origin, origin_name(verdict->origin));
	add_member(message, step, METADATA_ORIGIN, buf_str(&route->origin));
	add_member(message, step, METADATA_EXECUTION_ID, buf_str(&route->execution_id));
	add_member(message, step, METADATA_TOOL_NAME, tool_name(route, message));
	if (verdict->origin == ORIGIN_ERROR)
		add_member(message, step, METADATA_IS_ERROR, STR("true"));
	if (!step->is_candidate)
		add_fate(message, step, verdict->is_trace, section);
}

void
route_resolve(const struct message *message, struct route_step *step)
{
	if (!message_is(message, METADATA_RESOLVED))
		step->member[step->count++] = (struct metadata_member){METADATA_RESOLVED, STR("true")};
}

void
route_settle(const struct message *message, enum fate fate, struct route_step *step)
{
	memset(step, 0, sizeof *step);
	step->in_buffer = fate == FATE_GONE;
	add_fate(message, step, step->in_buffer, step->in_buffer ? in_buffer : in_messages);
}

bool
route_edit(const struct message *message, struct str text, const struct route_step *step,
    struct json_edit *edit)
{
	if (step->count == 0)
		return false;
	json_edit_reset(edit, text);
	return metadata_set(edit, message, step->member, step->count);
}
