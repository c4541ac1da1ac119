#ifndef POLICY_AGENT_VIEW_H
#define POLICY_AGENT_VIEW_H

/*
 * The views of a stream that are decided message by message: all that is of one agent, or the trace
 * of it. A stage; records that are no messages pass.
 */

#include "data/stage.h"
#include "data/walk.h"

struct agent_view {
	struct stage stage;
	struct walk walk;
	bool only_trace;
	struct message message; /* for a record that comes unread */
};

/* agent is whose messages are in the view; a NULL one is that of the stream's first message. */
void agent_view_init(struct agent_view *view, const char *agent, bool only_trace);

void agent_view_free(struct agent_view *view);

#endif
