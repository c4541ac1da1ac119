#ifndef DIALECTS_CLAUDE_CODE_H
#define DIALECTS_CLAUDE_CODE_H

/*
 * Reads the session files of Claude Code. A line is an envelope around one content block; lines of
 * one message.id are one message, even when results or another agent's lines stand between. What
 * is not conversation (titles, progress, snapshots, hooks) makes no record.
 *
 * Of a compacted session the records from the last compaction on are made, which is the context
 * that the model sees, unless all is set. Without all, then, the session is held to its end.
 */

#include "base/hash.h"
#include "data/message.h"
#include "dialects/joiner.h"

struct claude_agent;

struct claude_code {
	struct joiner joiner;
	struct map seen;          /* uuids and closed message ids; by agent */
	struct map agent_by_name;
	struct claude_agent *agent; /* 0 is the session's main thread */
	uint32_t agent_count;
	uint32_t agent_cap;
	uint32_t main;            /* whose file this is */
	uint32_t unnamed;         /* the newest sidechain without an agentId */
	bool started;             /* main is known */
	bool awaits_summary;      /* a boundary came, its summary did not yet */
	struct buf prompt;        /* the uuid of the main agent's last human message */
	struct buf scratch;
};

void claude_code_init(struct claude_code *reader, struct sink sink, bool all);

/* Takes the next line and what was read of it. */
void claude_code_read(struct claude_code *reader, const struct line *line,
    const struct message *message);

/* Puts what is still held, and frees everything. */
void claude_code_finish(struct claude_code *reader);

#endif
