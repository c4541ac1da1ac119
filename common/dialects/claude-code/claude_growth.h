#ifndef CLAUDE_CODE_CLAUDE_GROWTH_H
#define CLAUDE_CODE_CLAUDE_GROWTH_H

/*
 * Sessions of Claude Code that leave while they grow (parts/growth.h). A message leaves when its
 * line was read, and the answer of the model when a line shows that it is whole: its last line says
 * why the model stopped, or another message of the same agent comes, or a line of another agent.
 * Should a line add to it nevertheless, it is taken back with all that came after it, and so is
 * what a compaction or another branch takes out or moves:
 *
 *     lines   a1 a1 | r | b1 | b1 |        sent    a r | b | forgets b | b
 *
 * What left stays here, since it may be sent again: a compaction keeps it, or a branch is taken up
 * again. Whether branches change is looked at where two texts of the user follow the same line, by
 * the nodes that come to the path to the newest message or leave it. Sessions that turn very often
 * wait for more records, so that this takes time in proportion to the input.
 */

#include "dialects/claude-code/claude_line.h"
#include "dialects/claude-code/claude_sessions.h"
#include "dialects/parts/growth.h"

struct claude_growth {
	struct joiner *joiner;
	struct claude_sessions *sessions;
	const struct joined *open; /* the answer that the next line is likely to add to; or NULL */
	bool has_turned;           /* a session has */
	uint64_t records;          /* that came */
	uint64_t compared;         /* records and nodes that were looked at again */
};

/* What is taken back from now on is of that session. line is the newest. */
void claude_growth_begin(
    struct claude_growth *growth, const struct claude_session *session, const struct line *line);

/* Looks at what the line, which was read, changes of what was sent before. */
void claude_growth_look(struct claude_growth *growth, const struct claude_line *line);

/* Sends what is complete by now, and takes back what is not right any more. line is the newest. */
void claude_growth_send(struct claude_growth *growth, const struct line *line);

/* The same at the end, where nothing waits. */
void claude_growth_finish(struct claude_growth *growth, const struct line *line);

#endif
