#ifndef VIEW_CONVERSATION_H
#define VIEW_CONVERSATION_H

/*
 * A stage for the conversation view of a stream: user messages and final responses, each emitted as
 * soon as it is certain. An answer is final when its execution ends without trace after the answer.
 * So the newest answer is held, with the records after it, until the next trace or the next
 * execution decides:
 *
 *     queue   [answer? | user | foreign | error? ...]      emitted from the front
 *
 * No other records are held.
 */

#include "data/queue.h"

struct conversation {
	struct stage stage;
	struct walk walk;
	struct queue queue;
	size_t answer; /* the record that may become the final response, or QUEUE_NONE */
	size_t error;  /* the error that may take the place of a final response, or QUEUE_NONE */
};

/* The view is the conversation of agent. NULL means the agent of the stream's first message. */
void conversation_init(struct conversation *conversation, const char *agent);

void conversation_free(struct conversation *conversation);

#endif
