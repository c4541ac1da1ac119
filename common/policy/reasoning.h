#ifndef POLICY_REASONING_H
#define POLICY_REASONING_H

/*
 * A stage for the reasoning view of a stream. The view is the one that policy/view.h gives of a
 * held session, but each record is emitted as soon as its fate is certain. Trace of the running
 * execution waits until the execution is over. An unresolved group waits for a message that may
 * resolve it (data/window.h).
 */

#include "data/window.h"
#include "policy/view.h"

struct reasoning {
	struct window window; /* first, so that it is a stage */
	enum view_trace trace;
};

/* Before the first record, the caller may set the limit of the window and the current execution of
 * the window's session. */
void reasoning_init(struct reasoning *reasoning, enum view_trace trace);

void reasoning_free(struct reasoning *reasoning);

#endif
