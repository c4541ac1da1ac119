#include "dialects/claude-code/claude_thread.h"

#include "base/list.h"
#include "dialects/claude-code/claude_sessions.h"

void
claude_thread_find(struct claude_line *line)
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
claude_thread_drop(
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
