#ifndef VIEW_CONVERSATION_H
#define VIEW_CONVERSATION_H

/*
 * A stage for the conversation view of a stream: user messages and final responses, each emitted as
 * soon as it is certain. An answer is final when its execution ends without trace behind the
 * answer. So the newest answer is held, with the records behind it, until the next trace or the
 * next execution decides:
 *
 *     queue   [answer? | user | foreign | error? ...]      emitted from the front
 *
 * No other records are held.
 */

#include "data/stage.h"
#include "data/walk.h"

#define CONVERSATION_NONE SIZE_MAX

struct conversation_item;

struct conversation {
	struct stage stage;
	struct walk walk;
	struct conversation_item *item; /* from next to count */
	size_t next;
	size_t count;
	size_t cap;
	size_t answer; /* the item that may become the final response, or CONVERSATION_NONE */
	size_t error;  /* the error that may stand for a final response, or CONVERSATION_NONE */
};

/* The view is the conversation of agent. NULL means the agent of the stream's first message. */
void conversation_init(struct conversation *conversation, const char *agent);

void conversation_free(struct conversation *conversation);

#endif
