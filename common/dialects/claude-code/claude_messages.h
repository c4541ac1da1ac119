#ifndef CLAUDE_CODE_CLAUDE_MESSAGES_H
#define CLAUDE_CODE_CLAUDE_MESSAGES_H

/*
 * The messages that the lines of a session make. Lines of the model's role with one message.id are
 * gathered in one message, which is open until the user speaks. A line of the user's role makes a
 * message of each result, and one of all else.
 */

#include "dialects/claude-code/claude_line.h"
#include "dialects/claude-code/claude_sessions.h"

struct claude_messages {
	struct joiner joiner;
	struct buf parent_id; /* of the message that is begun, JSON */
	struct buf scratch;
};

/* Adds the line's content to the message of the model that is open, or to a new one. */
void claude_messages_answer(struct claude_messages *messages, struct claude_line *line);

/* Makes the messages of a line of the user's role. Returns whether one holds more than a result. */
bool claude_messages_user(struct claude_messages *messages, struct claude_line *line);

/* Makes one message of the line's content, results aside; pieces of the line is 1. */
void claude_messages_text(struct claude_messages *messages, struct claude_line *line);

/* Closes the message of the line's agent that is open: no line adds to it any more. */
void claude_messages_close(struct claude_messages *messages, const struct claude_line *line);

void claude_messages_free(struct claude_messages *messages);

#endif
