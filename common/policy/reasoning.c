#include "policy/reasoning.h"

/* Whether it is certain that trace is in the view, or that it is not. */
static bool
is_certain(const struct session *t, const struct entry *entry, enum view_trace trace)
{
	const struct entry *head = session_head(t, entry);

	if (trace == VIEW_TRACE_CURRENT && head->is_artifact)
		return true;
	if (entry->group != NONE)
		return session_is_settled(t, &t->group[entry->group]);
	return entry->is_pinned || entry->is_forgotten || session_is_known(t, entry->execution);
}

static bool
decide(struct window *window, uint32_t index)
{
	const struct reasoning *reasoning = (const struct reasoning *)window;
	struct session *t = &window->held.session;
	struct entry *entry = &t->entry[index];

	if (entry->kind != RECORD_MESSAGE)
		return true;
	if (!entry->outside && entry->is_trace && !is_certain(t, entry, reasoning->trace))
		return false;
	entry->is_dropped = !view_has(t, entry, VIEW_REASONING, reasoning->trace);
	return true;
}

void
reasoning_init(struct reasoning *reasoning, enum view_trace trace)
{
	*reasoning = (struct reasoning){.trace = trace};
	window_init(&reasoning->window, decide);
}

void
reasoning_free(struct reasoning *reasoning)
{
	window_free(&reasoning->window);
}
