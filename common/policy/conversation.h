#ifndef POLICY_CONVERSATION_H
#define POLICY_CONVERSATION_H

/*
 * The conversation view of a stream, a stage: user messages and final responses, as they become
 * certain. An answer is final when its execution ends without trace behind it, so the newest answer
 * is held, with what follows it, until the next trace or the next execution decides:
 *
 *     queue   [answer? | user | foreign | error? ...]      emitted from the front
 *
 * Nothing else is held.
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
	size_t error;  /* the item that may stand for it */
	struct message message; /* for a record that comes unread */
};

/* agent is whose conversation it is; a NULL one is that of the stream's first message. */
void conversation_init(struct conversation *conversation, const char *agent);

void conversation_free(struct conversation *conversation);

#endif
