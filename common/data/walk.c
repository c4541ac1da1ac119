#include "data/walk.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/message/content.h"
#include "json/string.h"

void
walk_init(struct walk *walk)
{
	*walk = (struct walk){.open = OPEN_CALLS_INIT, .newest = WALK_NONE};
}

void
walk_free(struct walk *walk)
{
	buf_free(&walk->agent);
	buf_free(&walk->execution_id);
	buf_free(&walk->scratch);
	map_free(&walk->agent_by_name);
	open_calls_free(&walk->open);
	free(walk->many);
	nested_free(&walk->nested);
}

struct str
walk_execution_id(const struct walk *walk)
{
	if (walk->derived_len > 0)
		return str_of(walk->derived_id, walk->derived_len);
	return buf_str(&walk->execution_id);
}

struct str
walk_nested_id(const struct walk *walk, uint32_t number)
{
	return nested_id(&walk->nested, number);
}

bool
walk_is_nested_current(const struct walk *walk, uint32_t number)
{
	return walk->nested.item[number - 1].is_current;
}

struct str
walk_agent(const struct message *message, struct buf *scratch)
{
	struct json_value parent = message->meta[METADATA_PARENT_EXECUTION_ID];
	struct json_value agent = message->meta[METADATA_AGENT_ID];

	if (parent.type != JSON_STRING)
		return STR("");
	return json_text(agent.type == JSON_STRING ? agent : parent, scratch);
}

static uint32_t
agent_number(struct walk *walk, struct str name)
{
	struct hash key;
	uint64_t number;

	if (name.len == 0)
		return 0;
	key = hash_bytes(name, hash_seed(HASH_AGENT));
	number = map_get(&walk->agent_by_name, key);
	if (number == MAP_NONE)
		map_set(&walk->agent_by_name, key, number = ++walk->agent_count);
	return (uint32_t)number;
}

void
walk_set_agent(struct walk *walk, struct str agent)
{
	buf_set(&walk->agent, agent);
	walk->own = agent_number(walk, agent);
	walk->started = true;
}

static struct hash
id_key(struct walk *walk, const struct verdict *verdict, struct json_value id)
{
	return call_id_key(call_id_text(id, &walk->scratch), verdict->agent);
}

/* An artifact is no request, whatever its role: it begins neither a turn nor an execution. */
static enum origin
derive_origin(const struct message *message, bool has_calls)
{
	enum origin said = message_origin(message);
	bool is_artifact = message_is_artifact(message);

	if (said != ORIGIN_NONE && !(is_artifact && said == ORIGIN_USER))
		return said;
	if (json_is(message->meta[METADATA_KIND], STR("summary")))
		return ORIGIN_SUMMARY;
	switch (message->role) {
	case ROLE_USER:
		return is_artifact ? ORIGIN_ASSISTANT : ORIGIN_USER;
	case ROLE_TOOL:
		return ORIGIN_TOOL_RESULT;
	case ROLE_ASSISTANT:
		if (has_calls)
			return ORIGIN_TOOL_CALL;
		return message_is(message, METADATA_IS_ERROR) ? ORIGIN_ERROR : ORIGIN_ASSISTANT;
	default:
		return ORIGIN_SYSTEM;
	}
}

void
walk_note(struct walk *walk, uint32_t index, uint64_t note)
{
	open_calls_nth(&walk->open, index)->note = note;
}

void
walk_note_section(struct walk *walk, uint32_t index, uint8_t section)
{
	open_calls_nth(&walk->open, index)->section = section;
}

/* Sets walk->call to the calls of the message, which are noted in it but for very many. */
static void
list_calls(struct walk *walk, const struct message *message, struct verdict *verdict)
{
	struct call_walk calls = call_walk_of(message);
	struct tool_call call;

	if (calls.left > 0) {
		walk->call = calls.noted;
		verdict->calls = calls.left;
	} else {
		while (call_walk_next(&calls, &call)) {
			LIST_ADD(walk->many, verdict->calls, walk->many_cap, call);
		}
		walk->call = walk->many;
	}
	verdict->has_calls = verdict->calls > 0;
}

static void
begin_group(struct walk *walk, struct verdict *verdict)
{
	verdict->first_call = walk->call_count;
	for (uint32_t i = 0; i < verdict->calls; i++)
		open_calls_add(&walk->open, i,
		    &(struct open_call){.key = id_key(walk, verdict, walk->call[i].id),
			.call = walk->call_count++,
			.group = walk->group_count,
			.execution = verdict->execution,
			.nested = verdict->nested,
			.is_trace = verdict->is_trace});
	verdict->group = walk->group_count++;
	if (verdict->outside)
		return;
	if (verdict->nested != 0) {
		nested_call(
		    &walk->nested, verdict->nested, verdict->group, verdict->calls, walk->said);
		return;
	}
	walk->newest = verdict->group;
	walk->due = verdict->calls;
	walk->is_parted = false;
}

/* Sets whether the result is in its place, after the open call. */
static void
place_result(struct walk *walk, const struct open_call *open, struct verdict *verdict)
{
	verdict->is_late = open->execution + 1 != walk->execution_count;
	if (open->nested == 0 || verdict->is_late) {
		verdict->is_displaced = walk->is_parted || open->group != walk->newest;
		walk->due -= !verdict->is_displaced;
		return;
	}
	verdict->nested = open->nested;
	verdict->is_displaced =
	    !nested_answer(&walk->nested, open->nested, open->group, walk->said);
}

/* Finds the call that a result answers: the nearest earlier one with its id that has no result. */
static void
answer_call(struct walk *walk, const struct message *message, struct verdict *verdict)
{
	uint32_t slot = open_calls_find(&walk->open, id_key(walk, verdict, message->tool_call_id));
	const struct open_call *open;

	if (slot == OPEN_NONE)
		return;
	open = &walk->open.slot[slot];
	verdict->answers = open->call;
	verdict->group = open->group;
	verdict->is_trace = open->is_trace;
	verdict->note = open->note;
	verdict->section = open->section;
	if (!verdict->outside)
		place_result(walk, open, verdict);
	open_calls_close(&walk->open, slot);
}

static void
begin_execution(struct walk *walk, struct verdict *verdict)
{
	walk->execution_count++;
	verdict->execution_began = true;
	if (walk->nested.count > 0)
		nested_free(&walk->nested);
}

static void
begin_derived(struct walk *walk, struct verdict *verdict, uint32_t number)
{
	char digits[sizeof walk->derived_id];
	size_t at = sizeof digits;

	do
		digits[--at] = (char)('0' + number % 10);
	while ((number /= 10) != 0);
	digits[--at] = '#';
	walk->derived_len = (uint8_t)(sizeof digits - at);
	memcpy(walk->derived_id, digits + at, walk->derived_len);
	begin_execution(walk, verdict);
}

/* An id in metadata may be one that was derived and written before, such as "#7". Ids that are
 * derived later must be greater. */
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

/* The number of the nested execution that the message of that id, which is not the running one, is
 * of, or begins; 0: of none. */
static uint32_t
find_nested(
    struct walk *walk, const struct message *message, const struct verdict *verdict, struct str id)
{
	bool is_user = verdict->origin == ORIGIN_USER, is_amid = walk->due > 0 && !walk->is_parted;
	struct hash key;
	uint32_t found;

	if (walk->is_flat || !message_is(message, METADATA_IS_TRACE) || walk->execution_count == 0)
		return 0;
	key = hash_bytes(id, hash_seed(HASH_EXECUTION));
	found = nested_find(&walk->nested, key);
	if (found != 0 || (!is_amid && (!is_user || verdict->is_request)))
		return found;
	return nested_begin(&walk->nested, id, key, is_user);
}

static void
join_given(struct walk *walk, const struct message *message, struct str id, struct verdict *verdict)
{
	bool running = walk->execution_count > 0;

	if (running && str_eq(id, walk_execution_id(walk)))
		return;
	verdict->nested = find_nested(walk, message, verdict, id);
	if (verdict->nested != 0)
		return;
	walk->derived_len = 0;
	buf_set(&walk->execution_id, id);
	skip_derived(walk, id);
	begin_execution(walk, verdict);
}

static void
join_execution(struct walk *walk, const struct message *message, struct verdict *verdict)
{
	struct json_value id = message->meta[METADATA_EXECUTION_ID];
	bool running = walk->execution_count > 0;
	bool waiting = running && walk->newest != WALK_NONE && walk->due == 0 && !walk->is_parted;

	if (verdict->answers != WALK_NONE) {
		verdict->execution = walk->execution_count - 1;
		return;
	}
	if (id.type == JSON_STRING) {
		join_given(walk, message, json_text(id, &walk->scratch), verdict);
	} else if (verdict->is_request) {
		verdict->steers = waiting && walk->steering == WALK_STEERING_JOIN;
		if (!verdict->steers)
			begin_derived(walk, verdict, ++walk->derived_count);
	} else if (!running) {
		begin_derived(walk, verdict, 0);
	} else if (verdict->is_trace) {
		verdict->nested = walk->nested.last;
	}
	verdict->execution = walk->execution_count - 1;
}

static bool
is_answer(const struct message *message, const struct verdict *verdict)
{
	return message->role == ROLE_ASSISTANT && !verdict->has_calls && !verdict->is_trace &&
	    verdict->origin != ORIGIN_ERROR && verdict->origin != ORIGIN_USER &&
	    !message_is_artifact(message) && !message_is_blank(message);
}

static bool
is_error_message(const struct message *message, const struct verdict *verdict)
{
	return verdict->origin == ORIGIN_ERROR && message->role != ROLE_TOOL &&
	    !verdict->has_calls && !verdict->is_trace && !message_is_artifact(message);
}

bool
walk_end(const struct walk *walk, enum fate *answer, enum fate *error)
{
	*answer = walk->has_answer ? FATE_FINAL : FATE_OPEN;
	*error = FATE_OPEN;
	if (walk->has_error)
		*error = walk->has_answer ? FATE_GONE : FATE_FINAL;
	return walk->has_answer;
}

/* Sets the effect of the message on earlier candidates, and whether it is a candidate itself. */
static void
judge(struct walk *walk, const struct message *message, struct verdict *verdict)
{
	verdict->is_answer = is_answer(message, verdict);
	verdict->is_error_message = is_error_message(message, verdict);
	if (verdict->execution_began) {
		walk_end(walk, &verdict->answer, &verdict->error);
		walk->has_answer = walk->has_error = false;
	}
	if (walk->has_answer && (verdict->is_answer || verdict->is_trace)) {
		verdict->answer = FATE_GONE;
		walk->has_answer = false;
	}
	if (walk->has_error && verdict->is_error_message)
		verdict->error = FATE_GONE;
	walk->has_answer |= verdict->is_answer;
	walk->has_error |= verdict->is_error_message;
}

static void
set_inside(struct walk *walk, const struct message *message, struct verdict *verdict)
{
	verdict->is_request = verdict->origin == ORIGIN_USER &&
	    (walk->is_flat || !verdict->is_trace || walk->turn_count == 0);
	join_execution(walk, message, verdict);
	walk->turn_count += verdict->is_request;
	verdict->turn = walk->turn_count;
	if (verdict->nested != 0) {
		if (!verdict->is_displaced)
			nested_take(&walk->nested, verdict->nested, verdict->answers != WALK_NONE,
			    verdict->origin == ORIGIN_USER);
		return;
	}
	if (verdict->is_displaced)
		return;
	walk->said += verdict->answers == WALK_NONE;
	nested_leave(&walk->nested);
	if (verdict->answers == WALK_NONE)
		walk->is_parted = true;
	judge(walk, message, verdict);
}

void
walk_add(struct walk *walk, const struct message *message, struct verdict *verdict)
{
	struct str agent = walk_agent(message, &walk->scratch);
	int trace = message_flag(message, METADATA_IS_TRACE);

	__builtin_prefetch(walk->open.slot); /* of very many sessions it is seldom in the cache */
	*verdict = (struct verdict){
	    .execution = WALK_NONE, .turn = WALK_NONE, .group = WALK_NONE, .answers = WALK_NONE};
	if (!walk->started)
		walk_set_agent(walk, agent);
	verdict->agent = agent_number(walk, agent);
	verdict->outside = verdict->agent != walk->own;
	list_calls(walk, message, verdict);
	verdict->origin = derive_origin(message, verdict->has_calls);
	verdict->is_trace = trace >= 0 ? trace : message->role == ROLE_TOOL || verdict->has_calls;
	if (message->role == ROLE_TOOL)
		answer_call(walk, message, verdict);
	if (!verdict->outside)
		set_inside(walk, message, verdict);
	if (verdict->has_calls)
		begin_group(walk, verdict);
}
