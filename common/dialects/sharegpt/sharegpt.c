/*
 * Conversations as ShareGPT and LLaMA-Factory keep them, for fine-tuning; this file reads them, and
 * sharegpt_writer.h writes them.
 *
 *     {"conversations":[{"from":"human","value":"…"},…],"system":"…","tools":"…",…}
 *
 * Each is a session of its own. The turns become messages, and the members beside them a context
 * record and a system message, as of a request. The answers of data for ranking, chosen and
 * rejected, go into metadata.request. A turn that is not understood stays in its place as a foreign
 * record.
 */

#include "dialects/request/chat.h"
#include "dialects/sharegpt/sharegpt_writer.h"
#include "json/nested.h"
#include "json/scan.h"
#include "json/string.h"

/*
 * The turns of a ShareGPT conversation, one after another, as messages:
 *
 *     {"from":"human","value":"t"}            {"role":"user","content":"t"}
 *     {"from":"function_call","value":"{…}"}  {"role":"assistant",…,"tool_calls":[…]}
 *     {"from":"observation","value":"t"}      {"role":"tool","tool_call_id":"call_1",…}
 *
 * Only these members get another name; all others stay. An unknown speaker becomes the role
 * unchanged. A turn may be spelled as a chat message, too.
 *
 * The value of a function_call is a call, {"name":…,"arguments":…}, or a list of calls, as JSON or
 * as JSON in a string, which may begin with <think>…</think>. Any other value stays the content.
 *
 * Calls have no ids, and results do not name them. Calls are numbered in their conversation. A
 * result answers the oldest call without one in the last run of turns of calls. A result without
 * such a call gets no id.
 */

struct sharegpt_turns {
	struct buf open;        /* ids of calls without a result, JSON strings one after another */
	size_t oldest;          /* where in open the first of them begins that still waits */
	bool is_calling;        /* the last turn has calls */
	struct json_value said; /* a text that belongs to the turn of calls after it; or absent */
	unsigned numbered;      /* calls that got an id */
	uint64_t not_calls;     /* turns of calls whose value is no call */
	struct arena nested;    /* JSON of a value */
};

#define SHAREGPT_TURNS_INIT \
	{ \
		.oldest = 0 \
	}

/* A turn that is being read. */
struct turn {
	struct json_value value;   /* all of it */
	struct json_value speaker; /* under from, or under role */
	struct json_value content; /* under content, or under value */
	enum role role;
	bool is_call;
};

static struct json_value
find_speaker(struct json_value value)
{
	struct json_value role = json_find(value, STR("role"));

	return role.type == JSON_STRING ? role : json_find(value, STR("from"));
}

/* Whether the value is a turn: an object in which a string says who speaks. */
static bool
sharegpt_turns_is_turn(struct json_value turn)
{
	return turn.type == JSON_OBJECT && find_speaker(turn).type == JSON_STRING;
}

static struct turn
open_turn(struct json_value value)
{
	struct turn turn = {.value = value, .speaker = find_speaker(value), .role = ROLE_OTHER};
	const struct role_speaker *speaker = role_speaker_find(turn.speaker);

	turn.content = json_find(value, STR("content"));
	if (turn.content.type == JSON_ABSENT)
		turn.content = json_find(value, STR("value"));
	if (speaker != NULL) {
		turn.role = speaker->role;
		turn.is_call = speaker->is_call && !json_has(value, STR("tool_calls"));
	}
	return turn;
}

/* The object with the name of the function and its arguments: the call itself, or its member in the
 * spelling of the chat API. Absent when the value is no call. */
static struct json_value
find_function(struct json_value call)
{
	struct json_value inner = json_find(call, STR("function"));

	if (call.type == JSON_OBJECT && inner.type != JSON_OBJECT)
		inner = call;
	if (json_find(inner, STR("name")).type != JSON_STRING)
		inner.type = JSON_ABSENT;
	return inner;
}

/* Whether the value is a call, or a list of nothing but calls. */
static bool
is_calls(struct json_value value)
{
	bool found = false;

	if (value.type != JSON_ARRAY)
		return find_function(value).type == JSON_OBJECT;
	for (struct json_walk walk = json_walk_of(value); json_walk_next(&walk);) {
		if (find_function(walk.value).type != JSON_OBJECT)
			return false;
		found = true;
	}
	return found;
}

/* The JSON in the string, on one line: line ends are only between tokens. before is the text before
 * it: thinking, or empty. */
static struct json_value
read_inside(struct sharegpt_turns *turns, struct json_value string, struct str *before)
{
	char *text = arena_padded(&turns->nested, string.len);
	struct str whole = str_of(text, json_decode_to(string, text));
	struct str json = str_trim(whole);
	const char *end = json.ptr + json.len;
	const char *think = str_find(json, STR("</think>"));
	struct json_scan scan;

	memset(text + whole.len, 0, JSON_PADDING);
	if (str_has_prefix(json, STR("<think>")) && think != NULL) {
		think += STR("</think>").len;
		json = str_trim(str_of(think, (size_t)(end - think)));
		*before = str_of(text, (size_t)(json.ptr - text));
	}
	json_unfold(text + (json.ptr - text), json.len);
	if (json.len == 0 || !json_scan(json, NULL, &scan))
		scan.value.type = JSON_ABSENT;
	return scan.value;
}

/* The calls of the value, or absent. before is the text before them. */
static struct json_value
find_calls(struct sharegpt_turns *turns, struct json_value value, struct str *before)
{
	*before = STR("");
	arena_reset(&turns->nested);
	if (value.type == JSON_STRING)
		value = read_inside(turns, value, before);
	if (!is_calls(value))
		value.type = JSON_ABSENT;
	return value;
}

static void
note_open(struct sharegpt_turns *turns, struct json_value id)
{
	if (id.type == JSON_STRING)
		buf_add_str(&turns->open, json_span(id));
}

/* Puts the id of the call, or one that is made. */
static void
put_id(struct sharegpt_turns *turns, struct json_value call, struct json_writer *w)
{
	struct json_value id = json_find(call, STR("id"));
	size_t at = turns->open.len;

	json_name(w, STR("id"));
	if (id.type == JSON_STRING && id.len > 2)
		note_open(turns, id);
	else
		buf_add_fmt(&turns->open, "\"call_%u\"", ++turns->numbered);
	json_put_raw(w, str_of(turns->open.ptr + at, turns->open.len - at));
}

static void
put_call(struct sharegpt_turns *turns, struct json_value call, struct json_writer *w)
{
	static const struct str known[] = {STR_INIT("id"), STR_INIT("type"), STR_INIT("function"),
	    STR_INIT("name"), STR_INIT("arguments"), STR_INIT("parameters")};
	struct json_value function = find_function(call);
	struct json_value arguments = json_find(function, STR("arguments"));

	if (arguments.type <= JSON_NULL)
		arguments = json_find(function, STR("parameters"));
	json_open(w, '{');
	put_id(turns, call, w);
	json_member_string(w, STR("type"), STR("function"));
	json_member_open(w, STR("function"), '{');
	json_member_value(w, STR("name"), json_find(function, STR("name")));
	json_name(w, STR("arguments"));
	if (arguments.type == JSON_STRING)
		json_put_value(w, arguments);
	else
		json_put_string(w, arguments.type <= JSON_NULL ? STR("{}") : json_span(arguments));
	json_close(w);
	for (struct json_walk walk = json_walk_of(call); json_walk_next(&walk);)
		if (!JSON_IS_ONE_OF(walk.name, known))
			json_put_member(w, walk.name, walk.value);
	json_close(w);
}

/* Writes the calls, and the content before them, as members without brackets around them. */
static void
write_calls(
    struct sharegpt_turns *turns, struct json_value calls, struct str before, struct buf *members)
{
	struct json_writer w;

	buf_add_str(members, STR("\"content\":"));
	if (before.len > 0)
		json_write_string(members, before);
	else
		buf_add_str(members,
		    turns->said.type == JSON_STRING ? json_span(turns->said) : STR("null"));
	turns->said.type = JSON_ABSENT;
	buf_add_str(members, STR(",\"tool_calls\":"));
	json_begin(&w, members, '[');
	if (calls.type == JSON_OBJECT)
		put_call(turns, calls, &w);
	for (struct json_walk walk = json_walk_list(calls); json_walk_next(&walk);)
		put_call(turns, walk.value, &w);
	json_close(&w);
}

/* Forgets the calls without a result, unless the turn before has calls too. */
static void
begin_calls(struct sharegpt_turns *turns)
{
	if (turns->is_calling)
		return;
	buf_reset(&turns->open);
	turns->oldest = 0;
}

/* Replaces the speaker by the role. The id of the call follows the role of a result. */
static void
edit_speaker(struct sharegpt_turns *turns, const struct turn *turn, struct json_edit *edit,
    struct buf *scratch)
{
	struct json_value open;

	if (turn->role == ROLE_OTHER)
		return;
	buf_reset(scratch);
	json_write_string(scratch, role_name(turn->role));
	if (turn->role == ROLE_TOOL && turns->oldest < turns->open.len &&
	    !json_has(turn->value, STR("tool_call_id"))) {
		open = json_written(&turns->open, turns->oldest);
		turns->oldest += open.len;
		buf_add_str(scratch, STR(",\"tool_call_id\":"));
		buf_add_str(scratch, json_span(open));
	}
	json_edit_replace(edit, json_span(turn->speaker), json_edit_keep(edit, buf_str(scratch)));
}

/* Replaces the value by the content, or by its calls. Returns whether it has calls. */
static bool
edit_content(struct sharegpt_turns *turns, const struct turn *turn, struct json_value name,
    struct json_edit *edit, struct buf *scratch)
{
	const char *end = turn->content.ptr + turn->content.len;
	struct json_value calls = json_absent;
	struct str before;

	if (turn->is_call)
		calls = find_calls(turns, turn->content, &before);
	if (calls.type == JSON_ABSENT) {
		turns->not_calls += turn->is_call;
		json_edit_replace(edit, json_span(name), STR("\"content\""));
		return false;
	}
	begin_calls(turns);
	buf_reset(scratch);
	write_calls(turns, calls, before, scratch);
	json_edit_replace(edit, str_of(name.ptr, (size_t)(end - name.ptr)),
	    json_edit_keep(edit, buf_str(scratch)));
	return true;
}

/* Writes the message of the turn into text, with JSON_PADDING readable bytes after it. */
static void
sharegpt_turns_read(struct sharegpt_turns *turns, struct json_value value, struct buf *text)
{
	struct turn turn = open_turn(value);
	struct json_value calls = json_find(value, STR("tool_calls"));
	bool is_calling = turn.role == ROLE_ASSISTANT && json_has_elements(calls);
	struct buf scratch = BUF_INIT;
	struct json_edit edit;

	if (is_calling) {
		begin_calls(turns);
		for (struct json_walk walk = json_walk_list(calls); json_walk_next(&walk);)
			note_open(turns, json_find(walk.value, STR("id")));
	}
	json_edit_init(&edit, json_span(value));
	for (struct json_walk walk = json_walk_of(value); json_walk_next(&walk);) {
		if (walk.value.ptr == turn.speaker.ptr) {
			json_edit_replace(&edit, json_span(walk.name), STR("\"role\""));
			edit_speaker(turns, &turn, &edit, &scratch);
		} else if (walk.value.ptr == turn.content.ptr) {
			is_calling |= edit_content(turns, &turn, walk.name, &edit, &scratch);
		}
	}
	turns->is_calling = is_calling;
	buf_reset(text);
	json_edit_end(&edit, text);
	buf_pad(text);
	buf_free(&scratch);
}

/* Whether the turn is a text of the assistant and nothing else, and the next one has the calls of
 * the same answer: walk is at the turn. */
static bool
is_said_with_calls(struct sharegpt_turns *turns, struct json_walk walk)
{
	struct turn turn = open_turn(walk.value), next;
	struct str before;
	unsigned members = 0;

	if (turn.role != ROLE_ASSISTANT || turn.is_call || turn.content.type != JSON_STRING ||
	    turn.content.len == 2)
		return false;
	for (struct json_walk inner = json_walk_of(walk.value); json_walk_next(&inner);)
		members++;
	if (members != 2 || !json_walk_next(&walk) || !sharegpt_turns_is_turn(walk.value))
		return false;
	next = open_turn(walk.value);
	if (!next.is_call || find_calls(turns, next.content, &before).type == JSON_ABSENT ||
	    before.len > 0)
		return false;
	turns->said = turn.content;
	return true;
}

/* The list of turns, recognized by its first element, or absent. */
static struct json_value
find_turns(struct json_value record)
{
	struct json_value list = json_find(record, STR("conversations"));

	if (list.type != JSON_ARRAY ||
	    (json_has_elements(list) && !sharegpt_turns_is_turn(json_first(list))))
		list.type = JSON_ABSENT;
	return list;
}

static enum dialect_sign
sign(struct json_value record)
{
	if (record.type == JSON_ARRAY)
		record = json_first(record);
	return record.type == JSON_OBJECT && find_turns(record).type == JSON_ARRAY ?
	    DIALECT_SIGN_CLEAR :
	    DIALECT_SIGN_NONE;
}

static bool
read_record(struct chat *chat, const struct line *line, struct json_value record)
{
	struct sharegpt_turns turns = SHAREGPT_TURNS_INIT;
	struct json_value list = find_turns(record);
	struct buf text = BUF_INIT;

	if (list.type != JSON_ARRAY)
		return false;
	chat_begin_session(chat, record);
	chat_read_frame(chat, line, record, STR("conversations"));
	for (struct json_walk walk = json_walk_of(list); json_walk_next(&walk);) {
		struct json_value element = walk.value;

		if (sharegpt_turns_is_turn(element)) {
			if (is_said_with_calls(&turns, walk))
				continue;
			sharegpt_turns_read(&turns, element, &text);
			element = json_value_at(text.ptr);
		} else {
			chat->odd_turns++;
		}
		chat_read_element(chat, line, element);
	}
	chat->odd_calls += turns.not_calls;
	buf_free(&turns.open);
	arena_free(&turns.nested);
	buf_free(&text);
	return true;
}

const struct dialect sharegpt_dialect = {.name = "sharegpt",
    .sign = sign,
    .read_record = read_record,
    .writer = sharegpt_writer,
    .is_chat = true,
    .is_plain = true,
    .joined = "conversation"};
