#ifndef POLICY_REASONING_H
#define POLICY_REASONING_H

/*
 * The reasoning view of a stream, a stage: what policy/view.h has of a held session, emitted as it
 * becomes certain. Trace of the running execution waits for its end, a group that is unresolved for
 * what may resolve it (data/window.h).
 */

#include "data/window.h"
#include "policy/view.h"

struct reasoning {
	struct window window; /* first, so that it is a stage */
	enum view_trace trace;
};

/* The window's limit and its session's current execution may be set before the first record. */
void reasoning_init(struct reasoning *reasoning, enum view_trace trace);

void reasoning_free(struct reasoning *reasoning);

#endif
