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

#include "data/message.h"
#include "dialects/claude_agents.h"

struct claude_code {
	struct joiner joiner;
	struct claude_agents agents;
	struct map closed;        /* ids of messages that no line can continue */
	uint32_t main;            /* whose file this is */
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
