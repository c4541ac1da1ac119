#ifndef CLAUDE_CODE_CLAUDE_MESSAGES_H
#define CLAUDE_CODE_CLAUDE_MESSAGES_H

/*
 * Makes messages of the lines of a session. Lines of the model's role with the same message.id
 * become one message, which stays open until the user speaks. A line of the user's role becomes a
 * message for each result, and one message for all other parts.
 */

#include "dialects/claude-code/claude_line.h"
#include "dialects/claude-code/claude_sessions.h"

struct claude_messages {
	struct joiner joiner;
	struct buf parent_id; /* parent_id of the message that is begun, JSON */
	struct buf scratch;
};

/* Adds the line's content to the message of the model that is open, or to a new one. */
void claude_messages_answer(struct claude_messages *messages, struct claude_line *line);

/* Makes the messages of a line of the user's role. Returns whether one of them is no mere
 * result. */
bool claude_messages_user(struct claude_messages *messages, struct claude_line *line);

/* Makes one message of the line's content without its results. pieces of the line must be 1. */
void claude_messages_text(struct claude_messages *messages, struct claude_line *line);

/* Closes the open message of the line's agent: no later line adds to it. */
void claude_messages_close(struct claude_messages *messages, const struct claude_line *line);

void claude_messages_free(struct claude_messages *messages);

#endif
