/*
 * Session files of Claude Code, which are only read. A line is an envelope around one content
 * block. Lines with one message.id make one message, even when results or lines of another agent
 * stand between them. Lines that are known to be no conversation (titles, progress, snapshots,
 * hooks) make no record. Canonical records and lines that are not understood pass in their places.
 *
 * The model sees a compacted session only from its last compaction on, and only the branch that the
 * user went on with. Unless all is set, the reader therefore drops the records before that
 * compaction, but for those that the compaction keeps, and other branches. A later line may be a
 * compaction, so without all the reader holds every record from the first line of a session on.
 */

#include <stdlib.h>

#include "base/list.h"
#include "base/mem.h"
#include "dialects/claude-code/claude_agents.h"
#include "dialects/claude-code/claude_branches.h"
#include "dialects/claude-code/claude_compaction.h"
#include "dialects/claude-code/claude_sessions.h"
#include "dialects/claude-code/claude_tree.h"
#include "dialects/dialect.h"
#include "dialects/parts/injected.h"
#include "dialects/unread.h"
#include "json/scan.h"
#include "json/string.h"

enum envelope_name {
	ENVELOPE_TYPE,
	ENVELOPE_SUBTYPE,
	ENVELOPE_UUID,
	ENVELOPE_PARENT,
	ENVELOPE_LOGICAL_PARENT,
	ENVELOPE_SESSION,
	ENVELOPE_TIMESTAMP,
	ENVELOPE_SIDECHAIN,
	ENVELOPE_AGENT,
	ENVELOPE_META,
	ENVELOPE_MESSAGE,
	ENVELOPE_SUMMARY,
	ENVELOPE_API_ERROR,
	ENVELOPE_ATTACHMENT,
	ENVELOPE_COMPACTION,
	ENVELOPE_COUNT,
};

static const struct str envelope_list[ENVELOPE_COUNT] = {
    [ENVELOPE_TYPE] = STR_INIT("type"),
    [ENVELOPE_SUBTYPE] = STR_INIT("subtype"),
    [ENVELOPE_UUID] = STR_INIT("uuid"),
    [ENVELOPE_PARENT] = STR_INIT("parentUuid"),
    [ENVELOPE_LOGICAL_PARENT] = STR_INIT("logicalParentUuid"),
    [ENVELOPE_SESSION] = STR_INIT("sessionId"),
    [ENVELOPE_TIMESTAMP] = STR_INIT("timestamp"),
    [ENVELOPE_SIDECHAIN] = STR_INIT("isSidechain"),
    [ENVELOPE_AGENT] = STR_INIT("agentId"),
    [ENVELOPE_META] = STR_INIT("isMeta"),
    [ENVELOPE_MESSAGE] = STR_INIT("message"),
    [ENVELOPE_SUMMARY] = STR_INIT("isCompactSummary"),
    [ENVELOPE_API_ERROR] = STR_INIT("isApiErrorMessage"),
    [ENVELOPE_ATTACHMENT] = STR_INIT("attachment"),
    [ENVELOPE_COMPACTION] = STR_INIT("compactMetadata"),
};

/* The line that is being read. */
struct envelope {
	const struct line *line;
	struct json_value member[ENVELOPE_COUNT];
	struct json_value role;
	struct json_value content;
	uint32_t agent;
	struct claude_session *session;
	struct claude_thread *thread;
	struct json_value parent; /* the line that it follows: a string, null or absent */
	unsigned
	    pieces; /* messages that a line of the user's role still makes; the last has its id */
	unsigned piece; /* how many it has made */
};

static struct json_names envelope_names; /* filled by reader */

enum { UUID_SHOWN = 36 };

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

static const struct injected injected = {
    injected_texts, sizeof injected_texts / sizeof injected_texts[0]};

struct reader {
	struct dialect_stage base;
	struct dialect_reading *reading;
	struct joiner joiner;
	struct claude_agents agents;
	struct claude_sessions sessions;
	struct claude_tree tree;
	struct claude_branches branches;
	struct map closed;    /* ids of messages that no line continues any more */
	uint32_t first;       /* the agent of the first message */
	bool started;         /* first is known */
	struct buf prompt;    /* the uuid of the main agent's last human message */
	struct buf parent_id; /* of the message that is begun, JSON */
	struct buf scratch;
};

/* Whether only sessions of Claude Code have lines of that type. Types of messages are not among
 * them. */
static bool
is_own_type(struct json_value type)
{
	static const struct str types[] = {STR_INIT("summary"), STR_INIT("file-history-snapshot"),
	    STR_INIT("queue-operation"), STR_INIT("progress"), STR_INIT("attachment"),
	    STR_INIT("permission-mode"), STR_INIT("last-prompt"), STR_INIT("mode"),
	    STR_INIT("ai-title"), STR_INIT("custom-title"), STR_INIT("agent-name")};

	return json_is_one_of(type, types, sizeof types / sizeof types[0]);
}

/* Whether lines of that type are known to be no conversation. */
static bool
is_silent_type(struct json_value type)
{
	static const struct str types[] = {STR_INIT("system"), STR_INIT("tag"),
	    STR_INIT("agent-color"), STR_INIT("agent-setting"), STR_INIT("pr-link"),
	    STR_INIT("task-summary"), STR_INIT("attribution-snapshot"),
	    STR_INIT("content-replacement"), STR_INIT("speculation-accept"),
	    STR_INIT("worktree-state"), STR_INIT("marble-origami-commit"),
	    STR_INIT("marble-origami-snapshot")};

	return is_own_type(type) || json_is_one_of(type, types, sizeof types / sizeof types[0]);
}

/* Recognizes an envelope around a message, and other lines with the marks of a session file. */
static bool
is_own(struct json_value record)
{
	struct json_value type = json_find(record, STR("type"));
	bool has_session = json_has(record, STR("sessionId"));

	if (json_has(record, STR("parentUuid")) || json_has(record, STR("leafUuid")) ||
	    is_own_type(type))
		return true;
	if (has_session &&
	    (json_has(record, STR("uuid")) ||
		(type.type == JSON_STRING && !json_has(record, STR("projectHash")))))
		return true;
	return json_find(json_find(record, STR("message")), STR("role")).type == JSON_STRING &&
	    (has_session || json_is(type, STR("user")) || json_is(type, STR("assistant")));
}

static enum dialect_sign
sign(struct json_value record)
{
	return json_find(record, STR("role")).type != JSON_STRING &&
		json_find(record, STR("messages")).type != JSON_ARRAY && is_own(record) ?
	    DIALECT_SIGN_CLEAR :
	    DIALECT_SIGN_NONE;
}

static struct claude_agent *
agent_of(const struct reader *reader, const struct envelope *e)
{
	return &reader->agents.list[e->agent];
}

/* The id of the execution that called the agent, for the metadata of the agent's messages: the uuid
 * of the human's last message, else the session id, else "main". The first answer stays. */
static struct str
parent_of(struct reader *reader, const struct envelope *e)
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

/* Adds the metadata of a message that the line begins. Returns its node in the tree. */
static uint32_t
add_metadata(struct reader *reader, const struct envelope *e, struct draft *draft,
    struct json_value id, struct json_value parent)
{
	const struct claude_agent *agent = agent_of(reader, e);
	uint32_t node;

	buf_reset(&reader->parent_id);
	node = claude_tree_add(&reader->tree, e->thread, parent, id, &reader->parent_id);
	if (e->agent == CLAUDE_MAIN) {
		e->session->leaf = node;
		e->session->is_linked |= reader->tree.node[node].is_linked;
	}
	draft_meta_value(draft, STR("id"), id);
	if (reader->parent_id.len > 0)
		draft_meta(draft, STR("parent_id"), buf_str(&reader->parent_id));
	draft_meta_value(draft, STR("session_id"), e->member[ENVELOPE_SESSION]);
	if (agent->name.len > 0)
		draft_meta_string(draft, STR("agent_id"), buf_str(&agent->name));
	if (agent->is_child)
		draft_meta_string(draft, STR("parent_execution_id"), parent_of(reader, e));
	draft_meta_value(draft, STR("timestamp"), e->member[ENVELOPE_TIMESTAMP]);
	return node;
}

/* The same for one of the messages that a line of the user's role makes. The last of them has the
 * id of the line, so that it follows the others. */
static void
add_piece(
    struct reader *reader, struct envelope *e, struct joined *joined, struct json_value content)
{
	static const struct json_value absent = {.type = JSON_ABSENT};
	bool is_last = --e->pieces == 0;
	uint32_t node = add_metadata(
	    reader, e, joined->draft, is_last ? e->member[ENVELOPE_UUID] : absent, e->parent);

	reader->tree.node[node].is_linked |= e->parent.type == JSON_ABSENT && e->piece > 0;
	e->piece++;
	joined->node = node + e->pieces;
	joined->agent = e->agent;
	e->parent = absent;
	claude_tree_fill(&reader->tree, node, content);
	if (is_last)
		claude_tree_join(&reader->tree, e->member[ENVELOPE_UUID], node);
}

static void
close_message(struct reader *reader, uint32_t index)
{
	struct claude_agent *agent = &reader->agents.list[index];

	if (agent->open == NULL)
		return;
	joiner_close(&reader->joiner, agent->open);
	agent->open = NULL;
	map_set(
	    &reader->closed, hash_bytes(buf_str(&agent->open_id), hash_seed(HASH_MESSAGE_ID)), 1);
}

/* The id of the message that the line belongs to. A line that comes after its message was closed
 * becomes a message of its own, under the uuid of the line. */
static struct json_value
message_id(struct reader *reader, const struct envelope *e, struct json_value id)
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
open_message(struct reader *reader, struct envelope *e, struct json_value id)
{
	struct claude_agent *agent = agent_of(reader, e);
	struct json_value model = json_find(e->member[ENVELOPE_MESSAGE], STR("model"));
	struct draft *draft;

	close_message(reader, e->agent);
	agent->open = joiner_open(&reader->joiner, &e->thread->records, e->line, STR("assistant"));
	agent->open->agent = e->agent;
	draft = agent->open->draft;
	if (e->member[ENVELOPE_API_ERROR].type == JSON_TRUE || json_is(model, STR("<synthetic>"))) {
		draft_meta_string(draft, STR("origin"), STR("error"));
		draft_meta(draft, STR("is_error"), STR("true"));
	}
	agent->node = add_metadata(reader, e, draft, message_id(reader, e, id), e->parent);
	agent->open->node = agent->node;
	if (e->agent == CLAUDE_MAIN)
		e->session->is_loose |= e->parent.type != JSON_STRING;
	draft_meta_value(draft, STR("model"), model);
	buf_reset(&agent->open_id);
	if (id.type == JSON_STRING)
		buf_add_str(&agent->open_id, json_text(id, &reader->scratch));
}

static void
read_assistant(struct reader *reader, struct envelope *e)
{
	const struct claude_agent *agent = agent_of(reader, e);
	struct json_value id = json_find(e->member[ENVELOPE_MESSAGE], STR("id"));

	if (agent->open == NULL || id.type != JSON_STRING ||
	    !str_eq(json_text(id, &reader->scratch), buf_str(&agent->open_id)))
		open_message(reader, e, id);
	draft_add_content(agent->open->draft, e->content);
	draft_set_usage(agent->open->draft, json_find(e->member[ENVELOPE_MESSAGE], STR("usage")));
	claude_tree_fill(&reader->tree, agent->node, e->content);
	claude_tree_join(&reader->tree, e->member[ENVELOPE_UUID], agent->node);
}

static void
put_result(struct reader *reader, struct envelope *e, struct json_value block)
{
	struct joined *joined =
	    joiner_open(&reader->joiner, &e->thread->records, e->line, STR("tool"));

	draft_set_result(joined->draft, block);
	add_piece(reader, e, joined, block);
	joiner_close(&reader->joiner, joined);
}

static bool
is_result(struct json_value block)
{
	return json_is(json_find(block, STR("type")), STR("tool_result"));
}

/* How many messages put_results and put_text make of the content. */
static unsigned
count_pieces(struct json_value content)
{
	struct json_walk walk;
	unsigned results = 0, blocks = 0;

	json_walk_open(&walk, content);
	while (content.type == JSON_ARRAY && json_walk_next(&walk)) {
		results += is_result(walk.value);
		blocks++;
	}
	return results + (content.type == JSON_STRING || blocks > results);
}

/* Makes one message of each result of a user line. Returns whether the line holds anything else. */
static bool
put_results(struct reader *reader, struct envelope *e)
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

/* A human's message closes the open message of the model. Injected text does not. */
static void
note_prompt(struct reader *reader, const struct envelope *e)
{
	struct json_value uuid = e->member[ENVELOPE_UUID];

	close_message(reader, e->agent);
	if (agent_of(reader, e)->is_child || uuid.type != JSON_STRING)
		return;
	buf_reset(&reader->prompt);
	buf_add_str(&reader->prompt, json_text(uuid, &reader->scratch));
}

static void
put_text(struct reader *reader, struct envelope *e)
{
	bool is_summary = e->member[ENVELOPE_SUMMARY].type == JSON_TRUE;
	bool is_injected = e->member[ENVELOPE_META].type == JSON_TRUE ||
	    injected_content(&injected, e->content, &reader->scratch);
	struct joined *joined;

	if (!is_summary && !is_injected)
		note_prompt(reader, e);
	joined = joiner_open(&reader->joiner, &e->thread->records, e->line, STR("user"));
	add_text(joined->draft, e->content);
	if (is_summary) {
		draft_meta_string(joined->draft, STR("kind"), STR("summary"));
		draft_meta_string(joined->draft, STR("scope"), STR("historical"));
	} else if (is_injected) {
		draft_meta_string(joined->draft, STR("origin"), STR("injected"));
	}
	add_piece(reader, e, joined, e->content);
	if (e->agent == CLAUDE_MAIN && !is_summary && !is_injected)
		e->session->prompt = joined->node;
	joiner_close(&reader->joiner, joined);
}

/* Drops the records of the thread so far. */
static void
drop_thread(struct reader *reader, struct claude_thread *thread)
{
	for (const struct joined *joined = thread->records.last; joined != NULL;
	     joined = joined->older) {
		struct claude_agent *agent = &reader->agents.list[joined->agent];

		if (agent->open == joined)
			agent->open = NULL;
	}
	reader->reading->compacted += joiner_forget(&reader->joiner, &thread->records);
}

/* Takes what came before out of the context: a compaction did. With the messages of the main agent
 * those of the agents go that it called. */
static void
forget(struct reader *reader, const struct envelope *e)
{
	struct claude_session *session = e->session;

	if (!reader->joiner.hold)
		return;
	while (e->agent == CLAUDE_MAIN && session->called_count > 0) {
		struct claude_agent *called =
		    &reader->agents.list[session->called[--session->called_count]];

		called->is_listed = false;
		drop_thread(reader, called->thread);
	}
	if (claude_compaction_begin(&reader->joiner, &reader->tree, e->thread,
		e->member[ENVELOPE_UUID], e->member[ENVELOPE_COMPACTION]))
		close_message(reader, e->agent);
	else
		drop_thread(reader, e->thread);
}

static void
read_user(struct reader *reader, struct envelope *e)
{
	bool is_summary = e->member[ENVELOPE_SUMMARY].type == JSON_TRUE;
	bool is_awaited = is_summary && e->thread->awaits_summary;
	struct json_value parent = e->parent;

	if (is_summary && !is_awaited)
		forget(reader, e);
	e->pieces = count_pieces(e->content);
	if (e->pieces == 0)
		claude_tree_skip(&reader->tree, e->member[ENVELOPE_UUID], e->parent);
	if (!put_results(reader, e))
		return;
	put_text(reader, e);
	if (is_awaited)
		claude_compaction_summarize(
		    &reader->joiner, &reader->tree, e->thread, e->member[ENVELOPE_UUID]);
	else if (!is_summary && e->piece == 1 && e->agent == CLAUDE_MAIN)
		claude_branches_add(&reader->branches, e->session, e->member[ENVELOPE_SESSION],
		    parent, claude_tree_find(&reader->tree, parent), reader->tree.count - 1);
	if (is_awaited)
		e->thread->awaits_summary = false;
}

/* Reads a message that the user queued while the agent worked: it stands only in an attachment. */
static bool
read_queued(struct reader *reader, struct envelope *e)
{
	struct json_value attachment = e->member[ENVELOPE_ATTACHMENT];

	if (!json_is(e->member[ENVELOPE_TYPE], STR("attachment")) ||
	    !json_is(json_find(attachment, STR("type")), STR("queued_command")))
		return false;
	e->content = json_find(attachment, STR("prompt"));
	if (e->content.type != JSON_STRING && e->content.type != JSON_ARRAY)
		return false;
	e->pieces = 1;
	put_text(reader, e);
	return true;
}

/* Passes a record that is no message, and notes behind which node it came. */
static void
pass(struct reader *reader, struct claude_thread *thread, struct record *record)
{
	struct joined *joined =
	    joiner_pass(&reader->joiner, thread != NULL ? &thread->records : NULL, record);

	if (joined != NULL)
		joined->node = reader->tree.count - 1;
}

/* Reads a line that is no known message. Returns whether the line is known to be no conversation. A
 * line that may be part of one (unread_speaks) is not understood, so no compaction drops it. */
static bool
read_other(struct reader *reader, struct envelope *e, struct record *record)
{
	bool speaks = unread_speaks(record->message->value);

	if (!speaks && is_silent_type(e->member[ENVELOPE_TYPE])) {
		tally_add_record(reader->reading->skipped, record->message->value);
		return true;
	}
	pass(reader, speaks ? NULL : e->thread, record);
	return false;
}

/* Returns whether the line was understood. */
static bool
read_envelope(struct reader *reader, struct envelope *e, struct record *record)
{
	bool has_content = e->content.type == JSON_STRING || e->content.type == JSON_ARRAY;
	bool is_understood = true;

	if (has_content && json_is(e->role, STR("assistant")))
		read_assistant(reader, e);
	else if (has_content && json_is(e->role, STR("user")))
		read_user(reader, e);
	else if (!read_queued(reader, e)) {
		claude_tree_skip(&reader->tree, e->member[ENVELOPE_UUID], e->parent);
		is_understood = read_other(reader, e, record);
	}
	if (json_is(e->member[ENVELOPE_SUBTYPE], STR("compact_boundary"))) {
		forget(reader, e);
		e->thread->awaits_summary = true;
	}
	return is_understood;
}

/* Finds the thread of the line. A sub-agent whose line comes before any of the main agent's has the
 * session for itself, in a file of its own. */
static void
find_thread(struct reader *reader, struct envelope *e)
{
	struct claude_agent *agent = agent_of(reader, e);
	struct claude_session *session = e->session;
	bool speaks = e->role.type == JSON_STRING;

	if (!reader->started && speaks) {
		reader->started = true;
		reader->first = e->agent;
	}
	e->thread = e->agent == CLAUDE_MAIN ? &session->thread : agent->thread;
	if (e->agent == CLAUDE_MAIN) {
		session->has_main |= speaks;
		return;
	}
	if (!agent->is_known && speaks) {
		agent->is_known = true;
		agent->is_child = session->has_main || e->agent != reader->first;
		agent->caller = session->prompt;
	}
	if (agent->is_child && session->has_main && !agent->is_listed) {
		LIST_ROOM(session->called, session->called_count, session->called_cap);
		session->called[session->called_count++] = e->agent;
		agent->is_listed = true;
	}
}

/* Gives the line, whose uuid an earlier line has that says something else, a uuid of its own. What
 * follows the uuid follows the later line. */
static void
name_anew(struct reader *reader, struct envelope *e)
{
	struct json_value uuid = e->member[ENVELOPE_UUID];
	struct str text = json_text(uuid, &reader->scratch);

	dialect_note_flaw(reader->reading, e->line,
	    "uuid '%.*s' is that of an earlier line which says something else",
	    (int)(text.len < UUID_SHOWN ? text.len : UUID_SHOWN), text.ptr);
	e->member[ENVELOPE_UUID] = claude_agents_name(&reader->agents, uuid, e->agent);
}

static void
read_line(struct reader *reader, struct record *record)
{
	struct envelope e = {.line = &record->line};
	struct claude_origin origin;
	struct claude_place place;
	enum claude_agents_repetition repetition;
	bool is_understood = true;

	json_pick(record->message->value, &envelope_names, e.member);
	e.role = json_find(e.member[ENVELOPE_MESSAGE], STR("role"));
	e.content = json_find(e.member[ENVELOPE_MESSAGE], STR("content"));
	origin = (struct claude_origin){e.member[ENVELOPE_UUID], e.member[ENVELOPE_PARENT],
	    e.member[ENVELOPE_AGENT], e.member[ENVELOPE_SIDECHAIN]};
	place = (struct claude_place){
	    record->line.file, e.member[ENVELOPE_SESSION], origin.uuid, origin.parent};
	if (place.parent.type != JSON_STRING &&
	    e.member[ENVELOPE_LOGICAL_PARENT].type == JSON_STRING)
		place.parent = e.member[ENVELOPE_LOGICAL_PARENT];
	e.parent = place.parent;
	e.session = claude_sessions_find(&reader->sessions, &place);
	e.agent = claude_agents_find(&reader->agents, &origin);
	find_thread(reader, &e);
	repetition = claude_agents_note(&reader->agents, &origin, e.agent, e.role,
	    e.role.type == JSON_STRING ? e.content : e.member[ENVELOPE_ATTACHMENT]);
	if (repetition == CLAUDE_OTHER)
		name_anew(reader, &e);
	if (repetition == CLAUDE_REPEATED)
		tally_add(reader->reading->skipped, STR("repeated line"));
	else if (reader->reading->untrusted && agent_of(reader, &e)->is_child)
		reader->reading->agents += e.role.type == JSON_STRING;
	else
		is_understood = read_envelope(reader, &e, record);
	if (repetition == CLAUDE_OTHER)
		claude_tree_join(&reader->tree, origin.uuid,
		    claude_tree_find(&reader->tree, e.member[ENVELOPE_UUID]));
	if (is_understood)
		dialect_note_other(reader->reading, &claude_code_dialect, &record->line);
}

static void
take(struct stage *stage, struct record *record)
{
	struct reader *reader = (struct reader *)stage;
	struct claude_session *session;

	switch (record->kind) {
	case RECORD_BLANK:
		return;
	case RECORD_FOREIGN:
		if (record->message->value.type == JSON_OBJECT) {
			read_line(reader, record);
			return;
		}
		/* fall through */
	case RECORD_BAD:
		session = claude_sessions_at(&reader->sessions, record->line.file);
		pass(reader, session != NULL ? &session->thread : NULL, record);
		return;
	default:
		if (record->kind == RECORD_MESSAGE)
			claude_tree_pass(&reader->tree);
		joiner_pass(&reader->joiner, NULL, record);
	}
}

/* Whether the record is of a branch that was left. */
static bool
is_left(const struct reader *reader, const struct joined *joined)
{
	uint32_t caller = reader->agents.list[joined->agent].caller;

	if (joined->session == NULL || joined->is_given)
		return false;
	return reader->tree.node[joined->node].is_left ||
	    (caller != CLAUDE_TREE_NONE && reader->tree.node[caller].is_left);
}

/* Drops the branches that were left, and what the newest compactions took out. */
static void
drop_rest(struct reader *reader)
{
	struct joiner *joiner = &reader->joiner;
	struct joined *next;

	for (uint32_t i = 0; i < reader->sessions.count; i++)
		reader->reading->compacted += claude_compaction_finish(
		    joiner, &reader->tree, &reader->sessions.list[i]->thread);
	for (uint32_t i = 1; i < reader->agents.count; i++)
		reader->reading->compacted +=
		    claude_compaction_finish(joiner, &reader->tree, reader->agents.list[i].thread);
	claude_branches_find(&reader->branches, &reader->sessions, &reader->tree);
	for (struct joined *joined = joiner->first; joined != NULL; joined = next) {
		next = joined->next;
		if (is_left(reader, joined))
			reader->reading->left += joiner_drop(joiner, joined);
	}
}

static void
end(struct stage *stage)
{
	struct reader *reader = (struct reader *)stage;

	if (reader->joiner.hold)
		drop_rest(reader);
	joiner_finish(&reader->joiner);
}

static void
free_reader(struct dialect_stage *base)
{
	struct reader *reader = (struct reader *)base;

	joiner_free(&reader->joiner);
	claude_agents_free(&reader->agents);
	claude_sessions_free(&reader->sessions);
	claude_tree_free(&reader->tree);
	claude_branches_free(&reader->branches);
	map_free(&reader->closed);
	buf_free(&reader->prompt);
	buf_free(&reader->parent_id);
	buf_free(&reader->scratch);
	free(reader);
}

static struct dialect_stage *
reader(struct dialect_reading *reading)
{
	struct reader *reader = mem_alloc(1, sizeof *reader);

	*reader =
	    (struct reader){.base = {.stage = {.take = take, .end = end}, .free = free_reader},
		.reading = reading,
		.tree = CLAUDE_TREE_INIT,
		.joiner = {.stage = &reader->base.stage,
		    .hold = !reading->all,
		    .is_untrusted = reading->untrusted}};
	JSON_NAMES_INIT(&envelope_names, envelope_list, ENVELOPE_COUNT);
	claude_agents_init(&reader->agents);
	return &reader->base;
}

const struct dialect claude_code_dialect = {.name = "claude-code", .sign = sign, .reader = reader};
