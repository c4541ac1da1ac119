#ifndef VIEW_AGENT_VIEW_H
#define VIEW_AGENT_VIEW_H

/*
 * A stage for the views of a stream that are decided message by message: all messages of one agent,
 * or only the trace of that agent. Records that are no messages pass.
 */

#include "data/stage.h"
#include "data/walk.h"

struct agent_view {
	struct stage stage;
	struct walk walk;
	bool only_trace;
};

/* The view has the messages of agent. NULL means the agent of the stream's first message. */
void agent_view_init(struct agent_view *view, const char *agent, bool only_trace);

void agent_view_free(struct agent_view *view);

#endif
