#include "policy/route.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/message/content.h"
#include "json/string.h"
#include "json/write.h"

/* The note of an open call holds two word numbers, at these shifts: that of its tool's name and
 * that of its section; and whether the call was recalled. 1 is added to the note, because 0 is no
 * note. */
enum { NOTE_NAME = 0, NOTE_SECTION = 32, NOTE_LOG = 63 };
#define NOTE_WORD UINT64_C(0x7fffffff)

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
route_restart(struct route *route)
{
	enum walk_steering steering = route->walk.steering;

	walk_free(&route->walk);
	walk_init(&route->walk);
	route->walk.steering = steering;
	buf_reset(&route->execution_id);
}

void
route_free(struct route *route)
{
	map_free(&route->word_by_text);
	free(route->word);
	arena_free(&route->arena);
	walk_free(&route->walk);
	buf_free(&route->given_id);
	buf_free(&route->execution_id);
	buf_free(&route->nested_id);
	buf_free(&route->origin);
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

/* Walks over the message, as if a message without an execution id had the given one: then with_id
 * is the message. */
static void
walk(struct route *route, const struct message *message, struct message *with_id,
    struct verdict *verdict)
{
	if (route->given_id.len > 0 && !route->recalls &&
	    is_missing(message, METADATA_EXECUTION_ID)) {
		*with_id = *message;
		with_id->meta[METADATA_EXECUTION_ID] = json_value_at(route->given_id.ptr);
		message = with_id;
	}
	walk_add(&route->walk, message, verdict);
	if (!verdict->execution_began)
		return;
	buf_reset(&route->execution_id);
	if (message->meta[METADATA_EXECUTION_ID].type == JSON_STRING)
		json_write_string(&route->execution_id, walk_execution_id(&route->walk));
}

/* The number of a word, which is added if it is new. */
static uint32_t
number_of(struct route *route, struct str text)
{
	struct hash key = hash_label(text);
	uint64_t number = map_get(&route->word_by_text, key);

	if (number != MAP_NONE)
		return (uint32_t)number;
	LIST_ROOM(route->word, route->word_count, route->word_cap);
	route->word[route->word_count] = arena_copy(&route->arena, text);
	map_set(&route->word_by_text, key, route->word_count);
	return route->word_count++;
}

/* Sets *word to the word at shift in the note of the answered call; false if there is no call. */
static bool
noted(const struct route *route, const struct verdict *verdict, unsigned shift, struct str *word)
{
	if (verdict->note != 0)
		*word = route->word[(verdict->note - 1) >> shift & NOTE_WORD];
	return verdict->note != 0;
}

static struct str
name_of(const struct tool_call *call)
{
	return call->name.type == JSON_STRING ? json_span(call->name) : STR("");
}

/* The tool of the call that a result answers, or the one tool of all calls of a message, or "". */
static struct str
tool_name(const struct route *route, const struct verdict *verdict)
{
	struct str name = STR("");

	if (noted(route, verdict, NOTE_NAME, &name) || verdict->calls == 0)
		return name;
	name = name_of(&route->walk.call[0]);
	for (uint32_t i = 1; i < verdict->calls; i++)
		if (!str_eq(name, name_of(&route->walk.call[i])))
			return STR("");
	return name;
}

/* The section, as a JSON string: the one that the metadata names, else that of the answered call,
 * else the one that the kind of the message gives. When trace is separated, metadata that names the
 * section messages decides nothing: trace leaves it, unless the section is to be kept. */
static struct str
section_of(const struct route *route, const struct message *message, const struct route_step *step)
{
	const struct verdict *verdict = &step->verdict;
	bool may_leave = route->separate_trace && !step->keeps_section;
	struct json_value said = message->meta[METADATA_SECTION];
	struct str of_call;

	if (json_is(said, STR("execution_buffer")))
		return in_buffer;
	if (said.type == JSON_STRING && !(may_leave && json_is(said, STR("messages"))))
		return json_span(said);
	if (noted(route, verdict, NOTE_SECTION, &of_call))
		return of_call;
	if (!route->separate_trace || message_is_artifact(message))
		return in_messages;
	if (verdict->is_trace)
		return in_buffer;
	/* An assistant message without calls and without text is thought, not conversation. */
	if (verdict->origin == ORIGIN_ASSISTANT && !verdict->has_calls && message_is_blank(message))
		return in_buffer;
	return in_messages;
}

/* Whether the metadata names no section, or one that trace leaves. */
static bool
is_movable(const struct message *message, const struct route_step *step)
{
	return is_missing(message, METADATA_SECTION) ||
	    (!step->keeps_section && json_is(message->meta[METADATA_SECTION], STR("messages")));
}

/* Adds the members that depend on whether a candidate is the final response. */
static void
add_fate(const struct route *route, const struct message *message, struct route_step *step,
    bool is_trace, struct str section)
{
	if (is_trace)
		add_member(message, step, METADATA_IS_TRACE, STR("true"));
	if (!route->writes_sections)
		return;
	if (str_eq(section, in_buffer) && is_movable(message, step))
		step->member[step->count++] = (struct metadata_member){METADATA_SECTION, in_buffer};
	else
		add_member(message, step, METADATA_SECTION, section);
}

/* The id, as a JSON string, of the execution that the message is of; "" where the id is derived. */
static struct str
execution_id(struct route *route, const struct verdict *verdict)
{
	if (verdict->nested == 0)
		return buf_str(&route->execution_id);
	buf_reset(&route->nested_id);
	json_write_string(&route->nested_id, walk_nested_id(&route->walk, verdict->nested));
	return buf_str(&route->nested_id);
}

void
route_add(
    struct route *route, const struct message *message, bool keeps_section, struct route_step *step)
{
	const struct verdict *verdict = &step->verdict;
	struct str section, of_call;
	struct message with_id;

	memset(step, 0, sizeof *step);
	step->keeps_section = keeps_section;
	walk(route, message, &with_id, &step->verdict);
	section = section_of(route, message, step);
	step->in_buffer = noted(route, verdict, NOTE_SECTION, &of_call) ?
	    str_eq(of_call, in_buffer) :
	    str_eq(section, in_buffer) && message->role != ROLE_OTHER;
	step->is_of_log = verdict->note != 0 && (verdict->note - 1) >> NOTE_LOG != 0;
	step->is_candidate = verdict->is_answer && route->separate_trace &&
	    is_movable(message, step) && is_missing(message, METADATA_IS_TRACE);
	if (verdict->has_calls) {
		uint64_t note = (uint64_t)number_of(route, section) << NOTE_SECTION |
		    (uint64_t)route->recalls << NOTE_LOG;

		for (uint32_t i = 0; i < verdict->calls; i++)
			walk_note(&route->walk, i,
			    (note | number_of(route, name_of(&route->walk.call[i]))) + 1);
	}
	if (verdict->outside || message->role == ROLE_OTHER || message_is_artifact(message))
		return;
	buf_reset(&route->origin);
	json_write_string(&route->origin, origin_name(verdict->origin));
	add_member(message, step, METADATA_ORIGIN, buf_str(&route->origin));
	add_member(message, step, METADATA_EXECUTION_ID, execution_id(route, verdict));
	add_member(message, step, METADATA_TOOL_NAME, tool_name(route, verdict));
	if (verdict->origin == ORIGIN_ERROR)
		add_member(message, step, METADATA_IS_ERROR, STR("true"));
	if (!step->is_candidate)
		add_fate(route, message, step, verdict->is_trace, section);
}

void
route_resolve(const struct message *message, struct route_step *step)
{
	if (!message_is(message, METADATA_RESOLVED))
		step->member[step->count++] =
		    (struct metadata_member){METADATA_RESOLVED, STR("true")};
}

void
route_settle(const struct route *route, const struct message *message, enum fate fate,
    struct route_step *step)
{
	memset(step, 0, sizeof *step);
	step->in_buffer = fate == FATE_GONE;
	add_fate(route, message, step, step->in_buffer, step->in_buffer ? in_buffer : in_messages);
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
