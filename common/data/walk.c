#include "data/walk.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"

void
walk_init(struct walk *walk)
{
	*walk = (struct walk){.open_free = WALK_NONE, .newest = WALK_NONE};
}

void
walk_free(struct walk *walk)
{
	buf_free(&walk->agent);
	buf_free(&walk->execution_id);
	buf_free(&walk->scratch);
	map_free(&walk->agent_by_name);
	map_free(&walk->open_by_id);
	free(walk->open);
	free(walk->many);
	free(walk->nested);
	buf_free(&walk->nested_ids);
	map_free(&walk->nested_by_id);
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
	const struct walk_nested *nested = &walk->nested[number - 1];

	return str_of(walk->nested_ids.ptr + nested->id_at, nested->id_len);
}

bool
walk_is_nested_current(const struct walk *walk, uint32_t number)
{
	return walk->nested[number - 1].is_current;
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
	buf_reset(&walk->agent);
	buf_add_str(&walk->agent, agent);
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

/* Most sessions have no more open calls than these at a time, and need no map of them. */
enum { OPEN_FEW = 4 };

/* Puts the call of the slot into the map, in front of older ones with its key. */
static void
map_open(struct walk *walk, uint32_t slot)
{
	uint64_t older = map_set(&walk->open_by_id, walk->open[slot].key, slot);

	walk->open[slot].older = older == MAP_NONE ? WALK_NONE : (uint32_t)older;
}

/* The newest open call of the key, by its slot; or WALK_NONE. */
static uint32_t
find_open(const struct walk *walk, struct hash key)
{
	uint32_t newest = WALK_NONE;
	uint64_t found;

	if (walk->open_used > OPEN_FEW) {
		found = map_get(&walk->open_by_id, key);
		return found == MAP_NONE ? WALK_NONE : (uint32_t)found;
	}
	for (uint32_t i = 0; i < walk->open_used; i++) {
		const struct open_call *open = &walk->open[i];

		if (open->call != WALK_NONE && hash_eq(open->key, key) &&
		    (newest == WALK_NONE || open->call > walk->open[newest].call))
			newest = i;
	}
	return newest;
}

/* The few slots are all used: from now on there is a map of them. A slot that was used again has a
 * newer call than slots behind it. */
static void
begin_map(struct walk *walk)
{
	uint32_t before = 0, next;

	for (uint32_t n = 0; n < walk->open_used; n++, before = walk->open[next].call + 1) {
		next = WALK_NONE;
		for (uint32_t i = 0; i < walk->open_used; i++)
			if (walk->open[i].call >= before &&
			    (next == WALK_NONE || walk->open[i].call < walk->open[next].call))
				next = i;
		map_open(walk, next);
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
	if (walk->open_used == OPEN_FEW)
		begin_map(walk);
	LIST_ROOM(walk->open, walk->open_used, walk->open_cap);
	walk->open[walk->open_used].nth = 0;
	return walk->open_used++;
}

static uint32_t
open_call(struct walk *walk, struct hash key, const struct verdict *verdict)
{
	uint32_t slot = new_open(walk), nth = walk->open[slot].nth;

	walk->open[slot] = (struct open_call){.key = key,
	    .nth = nth,
	    .call = walk->call_count++,
	    .group = walk->group_count,
	    .execution = verdict->execution,
	    .nested = verdict->nested,
	    .is_trace = verdict->is_trace};
	if (walk->open_used > OPEN_FEW)
		map_open(walk, slot);
	return slot;
}

/* Closes the newest open call of its key. */
static void
close_call(struct walk *walk, uint32_t slot)
{
	struct open_call *open = &walk->open[slot];

	if (walk->open_used > OPEN_FEW && open->older == WALK_NONE)
		map_remove(&walk->open_by_id, open->key);
	else if (walk->open_used > OPEN_FEW)
		map_set(&walk->open_by_id, open->key, open->older);
	open->call = WALK_NONE;
	open->older = walk->open_free;
	walk->open_free = slot;
}

void
walk_note(struct walk *walk, uint32_t index, uint64_t note)
{
	walk->open[walk->open[index].nth].note = note;
}

void
walk_note_section(struct walk *walk, uint32_t index, uint8_t section)
{
	walk->open[walk->open[index].nth].section = section;
}

static struct walk_nested *
nested_of(struct walk *walk, const struct verdict *verdict)
{
	return &walk->nested[verdict->nested - 1];
}

/* Sets walk->call to the calls of the message, which are noted in it but for very many. */
static void
list_calls(struct walk *walk, const struct message *message, struct verdict *verdict)
{
	struct call_walk calls;
	struct tool_call call;

	call_walk_open(&calls, message);
	if (calls.left > 0) {
		walk->call = calls.noted;
		verdict->calls = calls.left;
	} else {
		while (call_walk_next(&calls, &call)) {
			LIST_ROOM(walk->many, verdict->calls, walk->many_cap);
			walk->many[verdict->calls++] = call;
		}
		walk->call = walk->many;
	}
	verdict->has_calls = verdict->calls > 0;
}

static void
open_calls(struct walk *walk, struct verdict *verdict)
{
	verdict->first_call = walk->call_count;
	for (uint32_t i = 0; i < verdict->calls; i++) {
		uint32_t slot = open_call(walk, id_key(walk, verdict, walk->call[i].id), verdict);

		walk->open[i].nth = slot; /* there are at least as many slots */
	}
	verdict->group = walk->group_count++;
	if (verdict->outside)
		return;
	if (verdict->nested != 0) {
		nested_of(walk, verdict)->newest = verdict->group;
		nested_of(walk, verdict)->due = verdict->calls;
		nested_of(walk, verdict)->said = walk->said;
		return;
	}
	walk->newest = verdict->group;
	walk->due = verdict->calls;
	walk->is_parted = false;
}

/* Sets whether the result is in its place, behind the open call. */
static void
place_result(struct walk *walk, const struct open_call *open, struct verdict *verdict)
{
	struct walk_nested *nested;

	verdict->is_late = open->execution + 1 != walk->execution_count;
	if (open->nested == 0 || verdict->is_late) {
		verdict->is_displaced = walk->is_parted || open->group != walk->newest;
		walk->due -= !verdict->is_displaced;
		return;
	}
	verdict->nested = open->nested;
	nested = nested_of(walk, verdict);
	verdict->is_displaced = open->group != nested->newest || nested->said != walk->said;
	nested->due -= !verdict->is_displaced;
}

/* Finds the call that a result answers: the nearest earlier one with its id that has no result. */
static void
answer_call(struct walk *walk, const struct message *message, struct verdict *verdict)
{
	uint32_t slot = find_open(walk, id_key(walk, verdict, message->tool_call_id));
	const struct open_call *open;

	if (slot == WALK_NONE)
		return;
	open = &walk->open[slot];
	verdict->answers = open->call;
	verdict->group = open->group;
	verdict->is_trace = open->is_trace;
	verdict->note = open->note;
	verdict->section = open->section;
	if (!verdict->outside)
		place_result(walk, open, verdict);
	close_call(walk, slot);
}

static void
begin_execution(struct walk *walk, struct verdict *verdict)
{
	walk->execution_count++;
	verdict->execution_began = true;
	if (walk->nested_count == 0)
		return;
	walk->nested_count = walk->nested_current = walk->nested_last = 0;
	buf_reset(&walk->nested_ids);
	map_free(&walk->nested_by_id);
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

/* The number of the nested execution that begins with the message of that id; 0: the message begins
 * another execution. */
static uint32_t
begin_nested(struct walk *walk, const struct verdict *verdict, struct str id, struct hash key)
{
	bool is_user = verdict->origin == ORIGIN_USER;
	bool is_amid = walk->due > 0 && !walk->is_parted;
	const struct walk_nested *last = NULL;

	if (!is_amid && (!is_user || verdict->is_request))
		return 0;
	if (walk->nested_last != 0)
		last = &walk->nested[walk->nested_last - 1];
	is_user |= last != NULL && last->is_asked && last->due > 0;
	LIST_ROOM(walk->nested, walk->nested_count, walk->nested_cap);
	walk->nested[walk->nested_count++] = (struct walk_nested){.id_at = walk->nested_ids.len,
	    .id_len = id.len,
	    .newest = WALK_NONE,
	    .is_asked = is_user};
	buf_add_str(&walk->nested_ids, id);
	map_set(&walk->nested_by_id, key, walk->nested_count);
	return walk->nested_count;
}

/* The number of the nested execution that the message of that id, which is not the running one, is
 * of; 0: of none. */
static uint32_t
find_nested(
    struct walk *walk, const struct message *message, const struct verdict *verdict, struct str id)
{
	struct hash key;
	uint64_t found;

	if (walk->is_flat || !message_is(message, METADATA_IS_TRACE) || walk->execution_count == 0)
		return 0;
	key = hash_bytes(id, hash_seed(HASH_EXECUTION));
	found = map_get(&walk->nested_by_id, key);
	return found != MAP_NONE ? (uint32_t)found : begin_nested(walk, verdict, id, key);
}

/* Makes the nested execution of that number, or 0, the innermost one that is current. */
static void
go_to(struct walk *walk, uint32_t number)
{
	struct walk_nested *nested;

	if (number != 0 && !walk->nested[number - 1].is_current) {
		nested = &walk->nested[number - 1];
		nested->is_current = true;
		nested->under = walk->nested_current;
		walk->nested_current = number;
		return;
	}
	while (walk->nested_current != number) {
		nested = &walk->nested[walk->nested_current - 1];
		nested->is_current = false;
		walk->nested_current = nested->under;
	}
}

/* Takes a message of a nested execution. */
static void
set_nested(struct walk *walk, struct verdict *verdict)
{
	struct walk_nested *nested = nested_of(walk, verdict);

	if (verdict->is_displaced)
		return;
	walk->nested_last = verdict->nested;
	if (verdict->answers == WALK_NONE) {
		nested->newest = WALK_NONE;
		nested->due = 0;
	}
	nested->is_asked |= verdict->origin == ORIGIN_USER;
	if (!nested->is_asked)
		go_to(walk, verdict->nested);
	else if (nested->is_current)
		go_to(walk, nested->under);
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
	buf_reset(&walk->execution_id);
	buf_add_str(&walk->execution_id, id);
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
		verdict->nested = walk->nested_last;
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

/* Sets what the message makes of the candidates before it, and whether it is a candidate itself. */
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
		set_nested(walk, verdict);
		return;
	}
	if (verdict->is_displaced)
		return;
	walk->said += verdict->answers == WALK_NONE;
	walk->nested_last = 0;
	go_to(walk, 0);
	if (verdict->answers == WALK_NONE)
		walk->is_parted = true;
	judge(walk, message, verdict);
}

void
walk_add(struct walk *walk, const struct message *message, struct verdict *verdict)
{
	struct str agent = walk_agent(message, &walk->scratch);
	int trace = message_flag(message, METADATA_IS_TRACE);

	__builtin_prefetch(walk->open); /* of very many sessions it is seldom in the cache */
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
		open_calls(walk, verdict);
}
