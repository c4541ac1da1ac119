#include "policy/isolate/tail.h"

#include "policy/budget/weigh.h"

/* Whether the entry is the result of a call of the thread. */
static bool
is_result(const struct entry *entry)
{
	return (entry->call != NONE || entry->has_lost_call) && !entry->outside;
}

bool
tail_reaches(struct tail *tail, struct window *window, uint64_t results, uint64_t tokens,
    struct estimator *estimator)
{
	struct session *t = &window->held.session;

	for (; window->left + tail->looked < t->count; tail->looked++) {
		uint32_t index = window->left + tail->looked;

		if (tail->results >= results && tail->tokens >= tokens)
			return true;
		tail->results += is_result(&t->entry[index]);
		if (tokens > 0)
			tail->tokens += weigh_entry(t, index, estimator);
	}
	return tail->results >= results && tail->tokens >= tokens;
}

void
tail_advance(struct tail *tail, const struct window *window, uint64_t tokens)
{
	if (tail->looked == 0)
		return;
	tail->looked--;
	tail->results -= is_result(&window->held.session.entry[window->left]);
	tail->tokens -= tokens;
}
