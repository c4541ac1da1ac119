#include "dialects/claude-code/claude_growth.h"

#include <stdlib.h>

#include "base/list.h"
#include "dialects/claude-code/claude_compaction.h"
#include "dialects/parts/growth.h"
#include "json/string.h"

/* Whether the line says why the model stopped, and that no result is waited for. */
static bool
is_last(const struct claude_line *line)
{
	return line->stop.type == JSON_STRING && !json_is(line->stop, STR("tool_use"));
}

void
claude_growth_look(struct claude_growth *growth, const struct claude_line *line)
{
	struct claude_session *session = line->session;
	bool is_told = claude_sessions_is_told(session);

	if (line->role.type == JSON_STRING)
		growth->open = is_last(line) ? NULL : session->agents.list[line->agent].open;
	if (session->branches.has_fork && !session->has_turned) {
		session->has_turned = session->seen == CLAUDE_TREE_NONE ||
		    session->was_told != is_told ||
		    claude_branches_turn(
			&session->tree, session->seen, session->leaf, &growth->compared);
		session->seen = session->leaf;
	}
	growth->has_turned |= session->has_turned;
}

/* Whether the record waits because more may be added to it. */
static bool
waits(const struct claude_growth *growth, const struct joined *joined)
{
	return joined->draft != NULL && !joined->is_shown && joined == growth->open;
}

/* Whether the record is one that the agent sends now. */
static bool
is_sent(const struct claude_growth *growth, const struct joined *joined)
{
	const struct claude_session *session;
	const struct claude_tree_node *node;

	if (joined->thread == NULL || joined->is_given)
		return true;
	session = growth->sessions->list[joined->session->index];
	node = &session->tree.node[joined->node];
	if (node->thread->place != NULL && claude_tree_is_gone(node, joined->node))
		return false;
	return !claude_sessions_left(growth->sessions, joined);
}

void
claude_growth_begin(
    struct claude_growth *growth, const struct claude_session *session, const struct line *line)
{
	if (growth->joiner->taken_of != &session->of)
		growth_bury(growth->joiner, line, STR(""));
	growth->joiner->taken_of = &session->of;
}

static void
turn_session(struct claude_growth *growth, struct claude_session *session, const struct line *line)
{
	struct joiner *joiner = growth->joiner;

	if (!session->has_turned)
		return;
	claude_growth_begin(growth, session, line);
	claude_compaction_place(joiner, &session->tree, &session->thread);
	for (uint32_t i = CLAUDE_MAIN + 1; i < session->agents.count; i++)
		claude_compaction_place(joiner, &session->tree, session->agents.list[i].thread);
	claude_sessions_leave(session);
	growth->compared += session->tree.count;
	session->has_turned = false;
}

/* Sends the changes of all sessions. */
static void
turn(struct claude_growth *growth, const struct line *line)
{
	struct joiner *joiner = growth->joiner;
	struct growth_list sent = {.count = 0}, left = {.count = 0};

	for (uint32_t i = 0; i < growth->sessions->count; i++)
		turn_session(growth, growth->sessions->list[i], line);
	joiner->unsent = NULL;
	for (struct joined *joined = joiner->records.first; joined != NULL; joined = joined->next) {
		growth->compared++;
		if (!waits(growth, joined))
			joiner_show(joiner, joined);
		else if (joiner->unsent == NULL)
			joiner->unsent = joined;
		if (joined->is_given && joined->sent)
			continue;
		if (!is_sent(growth, joined))
			LIST_ADD(left.list, left.count, left.cap, joined);
		else if (joiner_has_text(joined) || waits(growth, joined))
			LIST_ADD(sent.list, sent.count, sent.cap, joined);
	}
	growth_turn(joiner, &sent, &left, line, STR(""));
	free(sent.list);
	free(left.list);
	growth->has_turned = false;
}

/* Sends the records read since. */
static void
send_rest(struct claude_growth *growth)
{
	struct joiner *joiner = growth->joiner;
	struct joined *joined = joiner->unsent, *next;

	for (; joined != NULL && !waits(growth, joined); joined = next) {
		next = joined->next;
		joiner_show(joiner, joined);
		if (!joined->sent && is_sent(growth, joined))
			joiner_send(joiner, joined);
	}
	joiner->unsent = joined;
}

static void
send_all(struct claude_growth *growth, const struct line *line)
{
	if (growth->has_turned)
		turn(growth, line);
	growth_bury(growth->joiner, line, STR(""));
	send_rest(growth);
}

void
claude_growth_send(struct claude_growth *growth, const struct line *line)
{
	growth->records++;
	if (!growth->has_turned || growth_may_compare(growth->compared, growth->records))
		send_all(growth, line);
}

void
claude_growth_finish(struct claude_growth *growth, const struct line *line)
{
	growth->open = NULL;
	send_all(growth, line);
}
