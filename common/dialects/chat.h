#ifndef DIALECTS_CHAT_H
#define DIALECTS_CHAT_H

/*
 * Reads chat messages: canonical ones, which are OpenAI's, and Anthropic's; one a line, or many in
 * a request ({"system":…,"messages":[…]}) or an array. What is canonical already is left to the
 * caller as it is; the rest is made anew: content blocks that call tools or answer them become tool
 * calls and tool messages, function_call and the role function become what they were renamed to.
 */

#include "data/message.h"
#include "dialects/draft.h"
#include "dialects/sink.h"

struct chat {
	struct sink sink;
	bool any_shape;       /* not only canonical messages (--from ctx) */
	struct draft draft;
	struct buf text;
	struct buf scratch;
	unsigned calls;       /* function_call has no ids: the number of the last one */
};

void chat_init(struct chat *chat, struct sink sink, bool any_shape);

/* Takes the next record; false when it is to pass as it is. */
bool chat_read(struct chat *chat, const struct line *line, const struct message *message);

void chat_free(struct chat *chat);

#endif
