#ifndef CLAUDE_CODE_CLAUDE_GROWTH_H
#define CLAUDE_CODE_CLAUDE_GROWTH_H

/*
 * Sends the messages of a growing session of Claude Code while the session is read
 * (parts/growth.h). A message is sent as soon as its line was read; an answer of the model, as soon
 * as it is complete: its last line has a stop reason, or another message of the same agent follows,
 * or a line of another agent. If a line adds to an answer that was sent, the answer is taken back
 * with all messages after it. So are messages that a compaction or another branch removes or moves:
 *
 *     lines   a1 a1 | r | b1 | b1 |        sent    a r | b | forgets b | b
 *
 * A message that was sent stays in memory, since it may be sent again: a compaction may keep it, or
 * the user may go back to its branch. In a session in which two texts of the user follow the same
 * line, each new record is checked for a change of branch, by the nodes that enter or leave the
 * path to the newest message. A session that changes branches very often is checked only after more
 * records, so that the time stays proportional to the input.
 */

#include "dialects/claude-code/claude_line.h"
#include "dialects/claude-code/claude_sessions.h"

struct claude_growth {
	struct joiner *joiner;
	struct claude_sessions *sessions;
	const struct joined *open; /* the answer that the next line is likely to add to; or NULL */
	bool has_turned;           /* has_turned of some session is set */
	uint64_t records;          /* read so far */
	uint64_t compared;         /* records and nodes that were visited again */
};

/* Notes that messages taken back from now on are of that session. line is the newest line. */
void claude_growth_begin(
    struct claude_growth *growth, const struct claude_session *session, const struct line *line);

/* Finds the messages sent before that the line, which was just read, changes. */
void claude_growth_look(struct claude_growth *growth, const struct claude_line *line);

/* Sends the messages that are complete, and takes back those that are no longer right. line is the
 * newest line. */
void claude_growth_send(struct claude_growth *growth, const struct line *line);

/* The same at the end of the input, where no message is held back. */
void claude_growth_finish(struct claude_growth *growth, const struct line *line);

#endif
