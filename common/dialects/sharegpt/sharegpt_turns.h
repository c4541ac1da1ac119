#ifndef SHAREGPT_SHAREGPT_TURNS_H
#define SHAREGPT_SHAREGPT_TURNS_H

/*
 * The turns of a ShareGPT conversation, one after another, as messages:
 *
 *     {"from":"human","value":"t"}            {"role":"user","content":"t"}
 *     {"from":"function_call","value":"{…}"}  {"role":"assistant",…,"tool_calls":[…]}
 *     {"from":"observation","value":"t"}      {"role":"tool","tool_call_id":"call_1",…}
 *
 * Only these members get another name, all others stay as they are. A speaker that is not known
 * becomes the role as it is spelled. A turn may be spelled as a chat message, too.
 *
 * The value of a function_call is a call, {"name":…,"arguments":…}, or a list of calls, as JSON or
 * as JSON in a string, which may have <think>…</think> in front. Any other value stays the content.
 *
 * Calls have no ids, and results do not name them. Calls are numbered in their conversation, and a
 * result answers the oldest call without one of the last turns of calls that stand together. A
 * result for which there is no such call gets no id.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "json/members.h"

struct sharegpt_turns {
	struct buf open;     /* ids of calls without a result, JSON strings one behind another */
	size_t oldest;       /* where in open the first of them begins that still waits */
	bool is_calling;     /* the last turn has calls */
	unsigned numbered;   /* calls that got an id */
	uint64_t not_calls;  /* turns of calls whose value is no call */
	struct arena nested; /* JSON of a value */
};

#define SHAREGPT_TURNS_INIT \
	{ \
		.oldest = 0 \
	}

void sharegpt_turns_free(struct sharegpt_turns *turns);

/* Whether the value is a turn: an object in which a string says who speaks. */
bool sharegpt_turns_is_turn(struct json_value turn);

/* Writes the message that the turn is into text, with JSON_PADDING readable bytes behind it. */
void sharegpt_turns_read(struct sharegpt_turns *turns, struct json_value turn, struct buf *text);

#endif
