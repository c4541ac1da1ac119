#ifndef POLICY_REASONING_H
#define POLICY_REASONING_H

/*
 * A stage for the reasoning view of a stream. It gives the same view as policy/view.h does of a
 * held session, and emits each record as soon as its fate is certain. Trace of the running
 * execution waits until the execution is over; an unresolved group waits for what may resolve it
 * (data/window.h).
 */

#include "data/window.h"
#include "policy/view.h"

struct reasoning {
	struct window window; /* first, so that it is a stage */
	enum view_trace trace;
};

/* The limit of the window and the current execution of its session may be set before the first
 * record. */
void reasoning_init(struct reasoning *reasoning, enum view_trace trace);

void reasoning_free(struct reasoning *reasoning);

#endif
