#include "dialects/claude_code.h"

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/injected.h"
#include "json/string.h"

enum envelope_name {
	ENVELOPE_TYPE,
	ENVELOPE_SUBTYPE,
	ENVELOPE_UUID,
	ENVELOPE_PARENT,
	ENVELOPE_SESSION,
	ENVELOPE_TIMESTAMP,
	ENVELOPE_SIDECHAIN,
	ENVELOPE_AGENT,
	ENVELOPE_META,
	ENVELOPE_MESSAGE,
	ENVELOPE_SUMMARY,
	ENVELOPE_API_ERROR,
	ENVELOPE_ATTACHMENT,
	ENVELOPE_COUNT,
};

static const struct str envelope_list[ENVELOPE_COUNT] = {
    [ENVELOPE_TYPE] = STR_INIT("type"),
    [ENVELOPE_SUBTYPE] = STR_INIT("subtype"),
    [ENVELOPE_UUID] = STR_INIT("uuid"),
    [ENVELOPE_PARENT] = STR_INIT("parentUuid"),
    [ENVELOPE_SESSION] = STR_INIT("sessionId"),
    [ENVELOPE_TIMESTAMP] = STR_INIT("timestamp"),
    [ENVELOPE_SIDECHAIN] = STR_INIT("isSidechain"),
    [ENVELOPE_AGENT] = STR_INIT("agentId"),
    [ENVELOPE_META] = STR_INIT("isMeta"),
    [ENVELOPE_MESSAGE] = STR_INIT("message"),
    [ENVELOPE_SUMMARY] = STR_INIT("isCompactSummary"),
    [ENVELOPE_API_ERROR] = STR_INIT("isApiErrorMessage"),
    [ENVELOPE_ATTACHMENT] = STR_INIT("attachment"),
};

enum { MAIN, AGENT_NONE = UINT32_MAX };

struct claude_agent {
	struct buf name;      /* empty: the main thread */
	struct buf parent;    /* what stands for the execution that called it */
	struct joined *open;  /* the message whose lines are being joined */
	struct buf open_id;
};

/* One line, while it is read. */
struct envelope {
	const struct line *line;
	struct json_value member[ENVELOPE_COUNT];
	struct json_value role;
	struct json_value content;
	uint32_t agent;
	bool has_id; /* a record already carries the line's uuid */
};

static struct json_names envelope_names; /* filled by claude_code_init */

static struct hash
key_of(struct claude_code *reader, struct json_value string, uint64_t kind)
{
	return hash_bytes(json_text(string, &reader->scratch), (struct hash){kind, 7});
}

static uint32_t
add_agent(struct claude_code *reader, struct json_value name, struct hash key)
{
	struct claude_agent *agent;

	if (reader->agent_count == reader->agent_cap) {
		reader->agent_cap = (uint32_t)mem_grow(reader->agent_cap, reader->agent_count + 1u);
		reader->agent = mem_realloc(reader->agent, reader->agent_cap, sizeof *reader->agent);
	}
	agent = &reader->agent[reader->agent_count];
	*agent = (struct claude_agent){.open = NULL};
	if (name.type == JSON_STRING) {
		buf_add_str(&agent->name, json_text(name, &reader->scratch));
		map_set(&reader->agent_by_name, key, reader->agent_count);
	}
	return reader->agent_count++;
}

void
claude_code_init(struct claude_code *reader, struct sink sink, bool all)
{
	*reader = (struct claude_code){.joiner = {.sink = sink, .hold = !all}, .unnamed = AGENT_NONE};
	json_names_init(&envelope_names, envelope_list, ENVELOPE_COUNT);
	add_agent(reader, (struct json_value){0}, (struct hash){0, 0});
}

static uint32_t
find_agent(struct claude_code *reader, struct json_value name)
{
	struct hash key = key_of(reader, name, 1);
	uint64_t found = map_get(&reader->agent_by_name, key);

	return found != MAP_NONE ? (uint32_t)found : add_agent(reader, name, key);
}

/* A sidechain without an agentId is told by its first message, to which parents lead. */
static uint32_t
find_unnamed(struct claude_code *reader, const struct envelope *e)
{
	struct json_value parent = e->member[ENVELOPE_PARENT];
	uint64_t found = MAP_NONE;

	if (parent.type == JSON_STRING)
		found = map_get(&reader->seen, key_of(reader, parent, 2));
	if (found != MAP_NONE && found != MAIN)
		return (uint32_t)found;
	if (parent.type != JSON_STRING || found == MAIN || reader->unnamed == AGENT_NONE)
		reader->unnamed = e->member[ENVELOPE_UUID].type == JSON_STRING ?
		    find_agent(reader, e->member[ENVELOPE_UUID]) : MAIN;
	return reader->unnamed;
}

static uint32_t
agent_of(struct claude_code *reader, const struct envelope *e)
{
	if (e->member[ENVELOPE_SIDECHAIN].type == JSON_FALSE)
		return MAIN;
	if (e->member[ENVELOPE_AGENT].type == JSON_STRING)
		return find_agent(reader, e->member[ENVELOPE_AGENT]);
	if (e->member[ENVELOPE_SIDECHAIN].type == JSON_TRUE)
		return find_unnamed(reader, e);
	return MAIN;
}

/* Whether the line was there before: a resumed session repeats what it goes on from. */
static bool
is_repeated(struct claude_code *reader, const struct envelope *e)
{
	struct json_value uuid = e->member[ENVELOPE_UUID];

	if (uuid.type != JSON_STRING)
		return false;
	return map_set(&reader->seen, key_of(reader, uuid, 2), e->agent) != MAP_NONE;
}

/* What an agent's trace names as the execution that called it. */
static struct str
parent_of(struct claude_code *reader, const struct envelope *e)
{
	struct claude_agent *agent = &reader->agent[e->agent];
	struct json_value session = e->member[ENVELOPE_SESSION];

	if (agent->parent.len > 0)
		return buf_str(&agent->parent);
	if (reader->prompt.len > 0)
		buf_add_str(&agent->parent, buf_str(&reader->prompt));
	else if (session.type == JSON_STRING)
		buf_add_str(&agent->parent, json_text(session, &reader->scratch));
	else
		buf_add_str(&agent->parent, STR("main"));
	return buf_str(&agent->parent);
}

static void
add_metadata(struct claude_code *reader, struct envelope *e, struct draft *draft,
    struct json_value id)
{
	const struct claude_agent *agent = &reader->agent[e->agent];

	if (!e->has_id)
		draft_meta_value(draft, STR("id"), id);
	e->has_id = true;
	draft_meta_value(draft, STR("session_id"), e->member[ENVELOPE_SESSION]);
	if (agent->name.len > 0)
		draft_meta_string(draft, STR("agent_id"), buf_str(&agent->name));
	if (e->agent != reader->main)
		draft_meta_string(draft, STR("parent_execution_id"), parent_of(reader, e));
	draft_meta_value(draft, STR("timestamp"), e->member[ENVELOPE_TIMESTAMP]);
}

static void
close_message(struct claude_code *reader, uint32_t index)
{
	struct claude_agent *agent = &reader->agent[index];

	if (agent->open == NULL)
		return;
	joiner_close(&reader->joiner, agent->open);
	agent->open = NULL;
	map_set(&reader->seen, hash_bytes(buf_str(&agent->open_id), (struct hash){3, 7}), index);
}

/* A part of the message that no line can continue any more goes by its own uuid. */
static struct json_value
message_id(struct claude_code *reader, const struct envelope *e, struct json_value id)
{
	if (id.type == JSON_STRING && map_get(&reader->seen, key_of(reader, id, 3)) == MAP_NONE)
		return id;
	return e->member[ENVELOPE_UUID];
}

static void
open_message(struct claude_code *reader, struct envelope *e, struct json_value id)
{
	struct claude_agent *agent = &reader->agent[e->agent];
	struct json_value model = json_find(e->member[ENVELOPE_MESSAGE], STR("model"));
	struct draft *draft;

	close_message(reader, e->agent);
	agent->open = joiner_open(&reader->joiner, e->line, STR("assistant"));
	draft = agent->open->draft;
	if (e->member[ENVELOPE_API_ERROR].type == JSON_TRUE || json_is(model, STR("<synthetic>"))) {
		draft_meta_string(draft, STR("origin"), STR("error"));
		draft_meta(draft, STR("is_error"), STR("true"));
	}
	add_metadata(reader, e, draft, message_id(reader, e, id));
	draft_meta_value(draft, STR("model"), model);
	buf_reset(&agent->open_id);
	if (id.type == JSON_STRING)
		buf_add_str(&agent->open_id, json_text(id, &reader->scratch));
}

static void
read_assistant(struct claude_code *reader, struct envelope *e)
{
	const struct claude_agent *agent = &reader->agent[e->agent];
	struct json_value id = json_find(e->member[ENVELOPE_MESSAGE], STR("id"));

	if (agent->open == NULL || id.type != JSON_STRING ||
	    !str_eq(json_text(id, &reader->scratch), buf_str(&agent->open_id)))
		open_message(reader, e, id);
	draft_add_content(reader->agent[e->agent].open->draft, e->content);
	draft_set_usage(reader->agent[e->agent].open->draft,
	    json_find(e->member[ENVELOPE_MESSAGE], STR("usage")));
}

static void
put_result(struct claude_code *reader, struct envelope *e, struct json_value block)
{
	struct joined *joined = joiner_open(&reader->joiner, e->line, STR("tool"));

	draft_set_result(joined->draft, block);
	add_metadata(reader, e, joined->draft, e->member[ENVELOPE_UUID]);
	joiner_close(&reader->joiner, joined);
}

static bool
is_result(struct json_value block)
{
	return json_is(json_find(block, STR("type")), STR("tool_result"));
}

/* The results of a user line, one message each; returns whether anything else is in it. */
static bool
put_results(struct claude_code *reader, struct envelope *e)
{
	struct json_walk walk;
	bool more = e->content.type == JSON_STRING;

	json_walk_open(&walk, e->content);
	while (e->content.type == JSON_ARRAY && json_walk_next(&walk)) {
		if (is_result(walk.value))
			put_result(reader, e, walk.value);
		else
			more = true;
	}
	return more;
}

static void
add_text(struct draft *draft, struct json_value content)
{
	struct json_walk walk;

	if (content.type == JSON_STRING) {
		draft_add_content(draft, content);
		return;
	}
	json_walk_open(&walk, content);
	while (json_walk_next(&walk))
		if (!is_result(walk.value))
			draft_add_block(draft, walk.value);
}

/* A human's message ends what the model said before; what a client put in does not. */
static void
note_prompt(struct claude_code *reader, const struct envelope *e)
{
	struct json_value uuid = e->member[ENVELOPE_UUID];

	close_message(reader, e->agent);
	if (e->agent != reader->main || uuid.type != JSON_STRING)
		return;
	buf_reset(&reader->prompt);
	buf_add_str(&reader->prompt, json_text(uuid, &reader->scratch));
}

static void
put_text(struct claude_code *reader, struct envelope *e)
{
	bool is_summary = e->member[ENVELOPE_SUMMARY].type == JSON_TRUE;
	bool is_injected = e->member[ENVELOPE_META].type == JSON_TRUE ||
	    injected_content(e->content, &reader->scratch);
	struct joined *joined;

	if (!is_summary && !is_injected)
		note_prompt(reader, e);
	joined = joiner_open(&reader->joiner, e->line, STR("user"));
	add_text(joined->draft, e->content);
	if (is_summary) {
		draft_meta_string(joined->draft, STR("kind"), STR("summary"));
		draft_meta_string(joined->draft, STR("scope"), STR("historical"));
	} else if (is_injected) {
		draft_meta_string(joined->draft, STR("origin"), STR("injected"));
	}
	add_metadata(reader, e, joined->draft, e->member[ENVELOPE_UUID]);
	joiner_close(&reader->joiner, joined);
}

/* What stood before is no longer in the context. */
static void
forget(struct claude_code *reader, const struct envelope *e)
{
	if (!reader->joiner.hold || e->agent != reader->main)
		return;
	joiner_forget(&reader->joiner);
	for (uint32_t i = 0; i < reader->agent_count; i++)
		reader->agent[i].open = NULL;
}

static void
read_user(struct claude_code *reader, struct envelope *e)
{
	if (e->member[ENVELOPE_SUMMARY].type == JSON_TRUE && e->agent == reader->main) {
		if (!reader->awaits_summary)
			forget(reader, e);
		reader->awaits_summary = false;
	}
	if (put_results(reader, e))
		put_text(reader, e);
}

/* A message that the user queued while the agent worked stands in an attachment only. */
static void
read_attachment(struct claude_code *reader, struct envelope *e)
{
	struct json_value attachment = e->member[ENVELOPE_ATTACHMENT];

	if (!json_is(json_find(attachment, STR("type")), STR("queued_command")))
		return;
	e->content = json_find(attachment, STR("prompt"));
	if (e->content.type == JSON_STRING || e->content.type == JSON_ARRAY)
		put_text(reader, e);
}

static void
read_envelope(struct claude_code *reader, struct envelope *e)
{
	struct json_value type = e->member[ENVELOPE_TYPE];

	if (json_is(e->role, STR("assistant")))
		read_assistant(reader, e);
	else if (json_is(e->role, STR("user")))
		read_user(reader, e);
	else if (json_is(type, STR("attachment")))
		read_attachment(reader, e);
	if (json_is(e->member[ENVELOPE_SUBTYPE], STR("compact_boundary"))) {
		forget(reader, e);
		reader->awaits_summary |= e->agent == reader->main;
	}
}

void
claude_code_read(struct claude_code *reader, const struct line *line, const struct message *message)
{
	struct envelope e = {.line = line};

	if (message->kind == RECORD_BAD)
		joiner_add(&reader->joiner, line, line->raw, true);
	if (message->kind == RECORD_BAD || message->kind == RECORD_BLANK ||
	    message->value.type != JSON_OBJECT)
		return;
	json_pick(message->value, &envelope_names, e.member);
	e.role = json_find(e.member[ENVELOPE_MESSAGE], STR("role"));
	e.content = json_find(e.member[ENVELOPE_MESSAGE], STR("content"));
	e.agent = agent_of(reader, &e);
	if (is_repeated(reader, &e))
		return;
	if (!reader->started && e.role.type == JSON_STRING) {
		reader->started = true;
		reader->main = e.agent;
	}
	read_envelope(reader, &e);
}

void
claude_code_finish(struct claude_code *reader)
{
	joiner_finish(&reader->joiner);
	for (uint32_t i = 0; i < reader->agent_count; i++) {
		buf_free(&reader->agent[i].name);
		buf_free(&reader->agent[i].parent);
		buf_free(&reader->agent[i].open_id);
	}
	free(reader->agent);
	map_free(&reader->seen);
	map_free(&reader->agent_by_name);
	buf_free(&reader->prompt);
	buf_free(&reader->scratch);
}
