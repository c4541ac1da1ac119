#include "dialects/claude_code.h"

#include "dialects/injected.h"
#include "json/scan.h"
#include "json/text.h"

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

void
claude_code_init(struct claude_code *reader, struct sink sink, bool all)
{
	*reader = (struct claude_code){.joiner = {.sink = sink, .hold = !all}};
	json_names_init(&envelope_names, envelope_list, ENVELOPE_COUNT);
	claude_agents_init(&reader->agents);
}

static struct claude_agent *
agent_of(const struct claude_code *reader, const struct envelope *e)
{
	return &reader->agents.list[e->agent];
}

/* What an agent's trace names as the execution that called it. */
static struct str
parent_of(struct claude_code *reader, const struct envelope *e)
{
	struct claude_agent *agent = agent_of(reader, e);
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
	const struct claude_agent *agent = agent_of(reader, e);

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
	struct claude_agent *agent = &reader->agents.list[index];

	if (agent->open == NULL)
		return;
	joiner_close(&reader->joiner, agent->open);
	agent->open = NULL;
	map_set(&reader->closed, hash_bytes(buf_str(&agent->open_id), hash_seed(HASH_MESSAGE_ID)), 1);
}

/* A part of the message that no line can continue any more goes by its own uuid. */
static struct json_value
message_id(struct claude_code *reader, const struct envelope *e, struct json_value id)
{
	struct hash key;

	if (id.type != JSON_STRING)
		return e->member[ENVELOPE_UUID];
	key = hash_bytes(json_text(id, &reader->scratch), hash_seed(HASH_MESSAGE_ID));
	if (map_get(&reader->closed, key) == MAP_NONE)
		return id;
	return e->member[ENVELOPE_UUID];
}

static void
open_message(struct claude_code *reader, struct envelope *e, struct json_value id)
{
	struct claude_agent *agent = agent_of(reader, e);
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
	const struct claude_agent *agent = agent_of(reader, e);
	struct json_value id = json_find(e->member[ENVELOPE_MESSAGE], STR("id"));

	if (agent->open == NULL || id.type != JSON_STRING ||
	    !str_eq(json_text(id, &reader->scratch), buf_str(&agent->open_id)))
		open_message(reader, e, id);
	draft_add_content(agent->open->draft, e->content);
	draft_set_usage(agent->open->draft, json_find(e->member[ENVELOPE_MESSAGE], STR("usage")));
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
	for (uint32_t i = 0; i < reader->agents.count; i++)
		reader->agents.list[i].open = NULL;
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
	struct claude_origin origin;

	if (message->kind == RECORD_BAD)
		joiner_add(&reader->joiner, line, line->raw, true);
	if (message->kind == RECORD_BAD || message->kind == RECORD_BLANK ||
	    message->value.type != JSON_OBJECT)
		return;
	json_pick(message->value, &envelope_names, e.member);
	e.role = json_find(e.member[ENVELOPE_MESSAGE], STR("role"));
	e.content = json_find(e.member[ENVELOPE_MESSAGE], STR("content"));
	origin = (struct claude_origin){e.member[ENVELOPE_UUID], e.member[ENVELOPE_PARENT],
	    e.member[ENVELOPE_AGENT], e.member[ENVELOPE_SIDECHAIN]};
	e.agent = claude_agents_find(&reader->agents, &origin);
	if (claude_agents_repeats(&reader->agents, &origin, e.agent))
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
	claude_agents_free(&reader->agents);
	map_free(&reader->closed);
	buf_free(&reader->prompt);
	buf_free(&reader->scratch);
}
