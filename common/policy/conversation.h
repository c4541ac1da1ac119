#ifndef POLICY_CONVERSATION_H
#define POLICY_CONVERSATION_H

/*
 * The conversation view of a stream: user messages and final responses, as they become certain. An
 * answer is final when its execution ends without trace behind it, so the newest answer is held,
 * with what follows it, until the next trace or the next execution decides:
 *
 *     queue   [answer? | user | foreign | error? ...]      released from the front
 *
 * The bytes of held records are copied; nothing else is kept.
 */

#include "data/walk.h"

#define CONVERSATION_NONE SIZE_MAX

struct conversation_item;

struct conversation {
	struct walk walk;
	struct conversation_item *item; /* from next to count */
	size_t next;
	size_t count;
	size_t cap;
	size_t answer; /* the item that may become the final response, or CONVERSATION_NONE */
	size_t error;  /* the item that may stand for it */
};

void conversation_init(struct conversation *conversation);

/*
 * Takes the next record of the stream; raw is its line, or, where continued is set, a later piece
 * of the line before. True when it belongs in the view for
 * certain: it is to be written after whatever conversation_next hands out. False when it was held
 * back or is not in the view.
 */
bool conversation_add(struct conversation *conversation, const struct message *message,
    struct str raw, bool continued);

/* Hands out the line and the kind of the next record whose place in the view became certain; valid
 * until the next conversation_add. False when there is none. */
bool conversation_next(struct conversation *conversation, enum record_kind *kind, struct str *raw);

/* The stream has ended: what is certain now can be had by conversation_next. */
void conversation_end(struct conversation *conversation);

void conversation_free(struct conversation *conversation);

#endif
