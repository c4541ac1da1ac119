#ifndef ACP_ACP_CALLS_H
#define ACP_ACP_CALLS_H

/*
 * The calls of an ACP session that have not ended. Each update of a call has only the members that
 * changed, and updates of other calls may come between:
 *
 *     {"sessionUpdate":"tool_call","toolCallId":…,"title":…}            version 1: the first
 *     {"sessionUpdate":"tool_call_update","toolCallId":…,"rawInput":{…}}
 *     {"sessionUpdate":"tool_call_content_chunk","toolCallId":…,"content":{…}}    version 2
 *     {"sessionUpdate":"tool_call_update","toolCallId":…,"status":"completed"}
 *
 * A call waits for its input until it ends, or until an update of another kind comes. When a call
 * ends, the calls before and after it whose input is known are emitted with it, and then its
 * result. If more than ACP_CALLS calls go on, the oldest is forgotten, and so is its result.
 */

#include "dialects/rows/row_reader.h"

/* The variables of the reader that the rows of calls and results read. */
enum acp_calls_variable {
	ACP_SESSION,
	ACP_ASKED,
	ACP_THOUGHT,
	ACP_MESSAGE,
	ACP_TOOL,
	ACP_INPUT,
	ACP_CONTENT,
	ACP_OUTPUT,
};

enum { ACP_CALLS = 32 };

/* The state of the reader. Values are JSON, and the buffers are its own. */
struct acp_calls {
	bool has_thought; /* the last update was thinking */
	unsigned count;
	struct acp_call {
		struct buf id;
		struct buf session;
		struct buf first;         /* the update that began it; empty: the call is said */
		struct buf tool;          /* its name; empty: it has ended */
		bool is_named;            /* … that a program gave, and no title */
		struct buf input, output; /* rawInput and rawOutput */
		struct buf content;       /* the elements, with commas between */
	} call[ACP_CALLS];
};

/* Takes an update of a call. */
row_function acp_calls_update;

/* Says all calls that wait. */
row_function acp_calls_send;

/* Forgets all calls. */
void acp_calls_reset(struct acp_calls *calls);

void acp_calls_free(void *state);

#endif
