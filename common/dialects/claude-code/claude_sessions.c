#include "dialects/claude-code/claude_sessions.h"

#include <stdlib.h>

#include "base/list.h"

static struct claude_session *
find(struct claude_sessions *sessions, struct json_value name)
{
	uint64_t found = map_get(&sessions->by_name, claude_uuids_key(name));

	return found == MAP_NONE ? NULL : sessions->list[found];
}

static struct claude_session *
find_by_uuid(struct claude_sessions *sessions, struct hash key)
{
	uint32_t found = claude_uuids_session(&sessions->uuids, key);

	return found == CLAUDE_UUIDS_NONE ? NULL : sessions->list[found];
}

static struct claude_session *
add(struct claude_sessions *sessions)
{
	struct claude_session *session = mem_alloc(1, sizeof *session);

	*session = (struct claude_session){.of = {.index = sessions->count},
	    .thread = CLAUDE_THREAD_INIT,
	    .tree = {.uuids = &sessions->uuids,
		.session = sessions->count,
		.before = CLAUDE_TREE_NONE},
	    .prompt = CLAUDE_TREE_NONE,
	    .leaf = CLAUDE_TREE_NONE,
	    .seen = CLAUDE_TREE_NONE};
	claude_agents_init(&session->agents, &sessions->uuids, sessions->count);
	LIST_ROOM(sessions->list, sessions->count, sessions->cap);
	sessions->list[sessions->count++] = session;
	return session;
}

/* The session of a line by its own uuid or its parent's, if the name is not known. Under another
 * name, an equal uuid alone does not make it a repeated line. */
static struct claude_session *
find_linked(struct claude_sessions *sessions, const struct claude_line *line)
{
	struct claude_session *session = find_by_uuid(sessions, line->key);

	if (session != NULL && line->name.type == JSON_STRING &&
	    !claude_agents_has(&session->agents, line))
		session = NULL;
	return session != NULL ? session : find_by_uuid(sessions, line->follows_key);
}

/* Whether that name was the last to be given to a session. */
static bool
is_newest(const struct claude_sessions *sessions, struct json_value name)
{
	return str_eq(buf_str(&sessions->newest_name), json_span(name));
}

static struct claude_session *
find_session(struct claude_sessions *sessions, const struct claude_line *line)
{
	struct claude_session *current = claude_sessions_at(sessions, line->from->file);
	struct claude_session *session = NULL, *linked = NULL;

	if (line->name.type == JSON_STRING)
		session = is_newest(sessions, line->name) ? sessions->list[sessions->newest] :
							    find(sessions, line->name);
	else if (current != NULL)
		session = current;
	if (session == NULL || (!session->has_uuid && line->name.type == JSON_STRING))
		linked = find_linked(sessions, line);
	if (linked != NULL)
		session = linked;
	if (session == NULL && current != NULL && current->of.name.type != JSON_STRING)
		session = current;
	return session != NULL ? session : add(sessions);
}

/* The first name of a session stays. */
static void
name(struct claude_sessions *sessions, struct claude_session *session, struct json_value name)
{
	if (!is_newest(sessions, name) || sessions->newest != session->of.index) {
		map_set(&sessions->by_name, claude_uuids_key(name), session->of.index);
		buf_set(&sessions->newest_name, json_span(name));
		sessions->newest = session->of.index;
	}
	if (session->of.name.type == JSON_STRING)
		return;
	buf_add_str(&session->name, json_span(name));
	buf_pad(&session->name);
	session->of.name = name;
	session->of.name.ptr = session->name.ptr;
}

struct claude_session *
claude_sessions_find(struct claude_sessions *sessions, const struct claude_line *line)
{
	struct claude_session *session = find_session(sessions, line);

	if (line->name.type == JSON_STRING)
		name(sessions, session, line->name);
	if (line->uuid.type == JSON_STRING) {
		session->has_uuid = true;
		claude_uuids_enter(&sessions->uuids, line->key, session->of.index);
	}
	sessions->current = session;
	sessions->file = line->from->file;
	return session;
}

void
claude_sessions_find_thread(struct claude_line *line)
{
	struct claude_agent *agent = &line->session->agents.list[line->agent];
	struct claude_session *session = line->session;
	bool speaks = line->role.type == JSON_STRING;

	if (!session->has_first && speaks) {
		session->has_first = true;
		session->first = line->agent;
	}
	line->thread = line->agent == CLAUDE_MAIN ? &session->thread : agent->thread;
	if (line->agent == CLAUDE_MAIN) {
		session->has_main |= speaks;
		return;
	}
	if (!agent->is_known && speaks) {
		agent->is_known = true;
		agent->is_child = session->has_main || line->agent != session->first;
		if (agent->caller == CLAUDE_TREE_NONE)
			agent->caller = session->prompt;
	}
	if (agent->is_child && session->has_main && !agent->is_listed) {
		LIST_ROOM(session->called, session->called_count, session->called_cap);
		session->called[session->called_count++] = line->agent;
		agent->is_listed = true;
	}
}

uint64_t
claude_sessions_drop_thread(
    struct joiner *joiner, struct claude_session *session, struct claude_thread *thread)
{
	for (const struct joined *joined = thread->records.last; joined != NULL;
	     joined = joined->older) {
		struct claude_agent *agent = &session->agents.list[joined->agent];

		if (agent->open == joined)
			agent->open = NULL;
	}
	return joiner_forget(joiner, &thread->records);
}

struct claude_session *
claude_sessions_at(const struct claude_sessions *sessions, const char *file)
{
	return sessions->file == file ? sessions->current : NULL;
}

bool
claude_sessions_left(const struct claude_sessions *sessions, const struct joined *joined)
{
	const struct claude_session *session;
	uint32_t caller;

	if (joined->thread == NULL || joined->is_given)
		return false;
	session = sessions->list[joined->session->index];
	caller = session->agents.list[joined->agent].caller;
	return session->tree.node[joined->node].is_left ||
	    (caller != CLAUDE_TREE_NONE && session->tree.node[caller].is_left);
}

bool
claude_sessions_is_told(const struct claude_session *session)
{
	return session->is_linked && !session->is_loose;
}

void
claude_sessions_stand(struct claude_session *session, struct json_value record)
{
	struct json_value leaf = json_find(record, STR("leafUuid"));

	if (leaf.type != JSON_STRING)
		return;
	session->stood = claude_uuids_key(leaf);
	session->has_gone = json_find(record, STR("explicit")).type == JSON_TRUE;
	session->has_turned |=
	    session->has_gone || claude_tree_find(&session->tree, session->stood) != session->leaf;
}

void
claude_sessions_leave(struct claude_session *session)
{
	struct claude_tree *tree = &session->tree;
	uint32_t at = session->leaf, stood = CLAUDE_TREE_NONE;

	if (!claude_uuids_is_none(session->stood))
		stood = claude_tree_find(tree, session->stood);
	for (uint32_t n = tree->count; n > 0 && at != CLAUDE_TREE_NONE && at != stood; n--)
		at = tree->node[at].is_linked ? tree->node[at].parent : CLAUDE_TREE_NONE;
	session->was_told = claude_sessions_is_told(session);
	session->seen =
	    stood != CLAUDE_TREE_NONE && (at != stood || session->has_gone) ? stood : session->leaf;
	claude_branches_find(&session->branches, tree, session->seen,
	    session->has_gone && stood != CLAUDE_TREE_NONE, session->was_told);
}

static void
free_session(struct claude_session *session)
{
	claude_agents_free(&session->agents);
	claude_tree_free(&session->tree);
	claude_branches_free(&session->branches);
	map_free(&session->closed);
	buf_free(&session->asked);
	buf_free(&session->name);
	free(session->called);
	free(session);
}

void
claude_sessions_free(struct claude_sessions *sessions)
{
	for (uint32_t i = 0; i < sessions->count; i++)
		free_session(sessions->list[i]);
	free(sessions->list);
	map_free(&sessions->by_name);
	buf_free(&sessions->newest_name);
	claude_uuids_free(&sessions->uuids);
}
