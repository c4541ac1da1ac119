#include "dialects/claude-code/claude_messages.h"

#include "dialects/parts/growth.h"
#include "dialects/parts/injected.h"
#include "json/string.h"

static const struct injected_text injected_texts[] = {
    {STR_INIT("<command-"), STR_INIT("<command-args>")},
    {STR_INIT("<local-command-"), STR_INIT("")},
    {STR_INIT("<system-reminder>"), STR_INIT("")},
    {STR_INIT("<ide_"), STR_INIT("")},
    {STR_INIT("<bash-"), STR_INIT("")},
    {STR_INIT("<task-notification>"), STR_INIT("")},
    {STR_INIT("<user-prompt-submit-hook>"), STR_INIT("")},
    {STR_INIT("[Request interrupted by user"), STR_INIT("")},
    {STR_INIT("Caveat: The messages below"), STR_INIT("")},
    {STR_INIT("Stop hook feedback:"), STR_INIT("")},
};

static const struct injected injected = {injected_texts, ARRAY_COUNT(injected_texts)};

static struct claude_agent *
agent_of(const struct claude_line *line)
{
	return &line->session->agents.list[line->agent];
}

/* The id of the execution that called the agent, for the metadata of the agent's messages: the uuid
 * of the human's last message, else the session id, else "main". The first answer stays. */
static struct str
parent_of(struct claude_messages *messages, const struct claude_line *line)
{
	struct claude_agent *agent = agent_of(line);
	struct json_value session = line->name;

	if (agent->parent.len > 0)
		return buf_str(&agent->parent);
	if (line->session->asked.len > 0)
		buf_add_str(&agent->parent, buf_str(&line->session->asked));
	else if (session.type == JSON_STRING)
		buf_add_str(&agent->parent, json_text(session, &messages->scratch));
	else
		buf_add_str(&agent->parent, STR("main"));
	return buf_str(&agent->parent);
}

/* Notes the sub-agent whose result the line has: its own lines may come later, in another file. */
static void
note_called(struct claude_messages *messages, struct claude_line *line)
{
	struct claude_line called = {
	    .agent_id = line->called, .name = line->name, .session = line->session};

	if (line->agent != CLAUDE_MAIN || line->called.type != JSON_STRING)
		return;
	called.agent = claude_agents_find(&line->session->agents, &called);
	parent_of(messages, &called);
	if (agent_of(&called)->caller != CLAUDE_TREE_NONE)
		return;
	agent_of(&called)->caller = line->session->prompt;
	line->session->has_turned |= agent_of(&called)->is_known;
}

/* Notes that the message is made of the line, whichever of its parts become pieces. */
static void
note_line(const struct claude_line *line, struct draft *draft)
{
	struct str text = line->from->text;

	draft_note(draft, PROVENANCE_RECORD,
	    (struct json_value){text.ptr, (uint32_t)text.len, JSON_OBJECT, 0});
}

/* Adds the metadata of a message that the line begins. Returns its node in the tree. */
static uint32_t
add_metadata(struct claude_messages *messages, const struct claude_line *line, struct draft *draft,
    struct json_value id)
{
	const struct claude_agent *agent = agent_of(line);
	uint32_t node;

	buf_reset(&messages->parent_id);
	node = claude_tree_add(&line->session->tree, line->thread, line->follows, line->follows_key,
	    id, &messages->parent_id);
	if (line->agent == CLAUDE_MAIN) {
		line->session->leaf = node;
		line->session->is_linked |= line->session->tree.node[node].is_linked;
	}
	draft_meta_value(draft, STR("id"), id);
	if (messages->joiner.grows)
		growth_name(
		    &messages->joiner, draft, json_span(line->session->of.name), "claude-code");
	if (messages->parent_id.len > 0)
		draft_meta(draft, STR("parent_id"), buf_str(&messages->parent_id));
	draft_meta_value(draft, STR("session_id"), line->name);
	if (agent->name.len > 0)
		draft_meta_string(draft, STR("agent_id"), buf_str(&agent->name));
	if (agent->is_child)
		draft_meta_string(draft, STR("parent_execution_id"), parent_of(messages, line));
	draft_meta_value(draft, STR("timestamp"), line->timestamp);
	return node;
}

/* The same for one of the messages that a line of the user's role makes. The last of these gets the
 * id of the line, so that it follows the others. */
static void
add_piece(struct claude_messages *messages, struct claude_line *line, struct joined *joined,
    struct json_value content)
{
	bool is_last = --line->pieces == 0;
	uint32_t node =
	    add_metadata(messages, line, joined->draft, is_last ? line->uuid : json_absent);

	if (line->follows.type == JSON_ABSENT && line->piece > 0)
		claude_tree_link(&line->session->tree, node);
	line->piece++;
	joined->node = node + line->pieces;
	joined->agent = line->agent;
	line->follows = json_absent;
	claude_tree_fill(&line->session->tree, node, content);
	if (is_last)
		claude_tree_join(&line->session->tree, line->key, node);
}

void
claude_messages_close(struct claude_messages *messages, const struct claude_line *line)
{
	struct claude_agent *agent = agent_of(line);

	if (agent->open == NULL)
		return;
	joiner_close(&messages->joiner, agent->open);
	agent->open = NULL;
	map_set(&line->session->closed, agent->open_key, 1);
}

/* The key of the line's message. All without an id have one. */
static struct hash
id_key(const struct claude_line *line)
{
	struct hash seed = hash_seed(HASH_MESSAGE_ID);

	return line->id.type == JSON_STRING ? json_hash(line->id, seed) : hash_bytes(STR(""), seed);
}

/* The id of the line's message. A line whose message is already closed becomes a message of its
 * own, with the uuid of the line as its id. */
static struct json_value
message_id(const struct claude_line *line, struct hash key)
{
	return line->id.type == JSON_STRING && map_get(&line->session->closed, key) == MAP_NONE ?
	    line->id :
	    line->uuid;
}

static void
open_message(struct claude_messages *messages, struct claude_line *line, struct hash key)
{
	struct claude_agent *agent = agent_of(line);
	struct draft *draft;

	map_prefetch(&line->session->closed, key);
	claude_messages_close(messages, line);
	agent->open = joiner_open(&messages->joiner, &line->session->of, &line->thread->records,
	    line->from, STR("assistant"));
	agent->open->agent = line->agent;
	draft = agent->open->draft;
	if (line->is_api_error.type == JSON_TRUE || json_is(line->model, STR("<synthetic>"))) {
		draft_meta_string(draft, STR("origin"), STR("error"));
		draft_meta(draft, STR("is_error"), STR("true"));
	}
	agent->node = add_metadata(messages, line, draft, message_id(line, key));
	agent->open->node = agent->node;
	if (line->agent == CLAUDE_MAIN)
		line->session->is_loose |= line->follows.type != JSON_STRING;
	draft_meta_value(draft, STR("model"), line->model);
	agent->open_key = key;
}

void
claude_messages_answer(struct claude_messages *messages, struct claude_line *line)
{
	const struct claude_agent *agent = agent_of(line);
	struct hash key = id_key(line);

	if (agent->open == NULL || line->id.type != JSON_STRING || !hash_eq(key, agent->open_key))
		open_message(messages, line, key);
	else
		line->session->has_turned |= joiner_resume(&messages->joiner, agent->open);
	note_line(line, agent->open->draft);
	draft_add_content(agent->open->draft, line->content);
	draft_set_usage(agent->open->draft, line->usage);
	claude_tree_fill(&line->session->tree, agent->node, line->content);
	claude_tree_join(&line->session->tree, line->key, agent->node);
}

static void
put_result(struct claude_messages *messages, struct claude_line *line, struct json_value block)
{
	struct joined *joined = joiner_open(
	    &messages->joiner, &line->session->of, &line->thread->records, line->from, STR("tool"));

	note_line(line, joined->draft);
	draft_set_result(joined->draft, block);
	add_piece(messages, line, joined, block);
	joiner_close(&messages->joiner, joined);
}

static bool
is_result(struct json_value block)
{
	return json_has_type(block, STR("tool_result"));
}

/* How many messages put_results and put_text make of the content. */
static unsigned
count_pieces(const struct claude_line *line)
{
	struct json_value content = line->content;
	unsigned results = 0, blocks = 0;

	for (struct json_walk walk = json_walk_of(content); json_walk_next(&walk);) {
		results += is_result(walk.value);
		blocks++;
	}
	return results + (content.type == JSON_STRING || blocks > results);
}

/* Makes one message of each result of a user line. Returns whether the line holds anything else. */
static bool
put_results(struct claude_messages *messages, struct claude_line *line)
{
	bool more = line->content.type == JSON_STRING;

	for (struct json_walk walk = json_walk_of(line->content); json_walk_next(&walk);) {
		if (is_result(walk.value))
			put_result(messages, line, walk.value);
		else
			more = true;
	}
	return more;
}

/* A human's message closes the open message of the model. Injected text does not. */
static void
note_prompt(struct claude_messages *messages, const struct claude_line *line)
{
	struct json_value uuid = line->uuid;

	claude_messages_close(messages, line);
	if (agent_of(line)->is_child || uuid.type != JSON_STRING)
		return;
	buf_reset(&line->session->asked);
	buf_add_str(&line->session->asked, json_text(uuid, &messages->scratch));
}

void
claude_messages_text(struct claude_messages *messages, struct claude_line *line)
{
	bool is_summary = line->is_summary.type == JSON_TRUE;
	bool is_injected = line->is_meta.type == JSON_TRUE ||
	    injected_content(&injected, line->content, &messages->scratch);
	struct joined *joined;

	if (!is_summary && !is_injected)
		note_prompt(messages, line);
	joined = joiner_open(
	    &messages->joiner, &line->session->of, &line->thread->records, line->from, STR("user"));
	note_line(line, joined->draft);
	draft_add_rest(joined->draft, line->content, is_result);
	if (is_summary)
		draft_set_summary(joined->draft);
	else if (is_injected)
		draft_meta_string(joined->draft, STR("origin"), STR("injected"));
	add_piece(messages, line, joined, line->content);
	if (line->agent == CLAUDE_MAIN && !is_summary && !is_injected)
		line->session->prompt = joined->node;
	joiner_close(&messages->joiner, joined);
}

bool
claude_messages_user(struct claude_messages *messages, struct claude_line *line)
{
	line->pieces = count_pieces(line);
	if (line->pieces == 0)
		claude_tree_skip(&line->session->tree, line->key, line->follows, line->follows_key);
	note_called(messages, line);
	if (!put_results(messages, line))
		return false;
	claude_messages_text(messages, line);
	return true;
}

void
claude_messages_free(struct claude_messages *messages)
{
	joiner_free(&messages->joiner);
	buf_free(&messages->parent_id);
	buf_free(&messages->scratch);
}
