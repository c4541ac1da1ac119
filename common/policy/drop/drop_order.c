#include "policy/drop/drop_order.h"

#include <stdlib.h>

#include "base/mem.h"
#include "policy/summary/summary.h"

enum { PAIRS_KEPT = 3, USER_SHARE = 15 /* percent of the target */ };

/* Whether the entry is the first message that must stay, or of the group of that message. */
static bool
is_first(const struct drop_order *order, uint32_t index)
{
	const struct session *t = order->compaction->session;

	return order->first != NONE &&
	    session_head_index(t, index) == session_head_index(t, order->first);
}

bool
drop_order_may(const struct drop_order *order, uint32_t index)
{
	const struct compaction *c = order->compaction;

	return c->keep[index] <= KEEP_NOT && !c->session->entry[index].is_dropped &&
	    index != c->artifact && index != order->summary && !is_first(order, index);
}

static uint32_t
find_summary(const struct compaction *c)
{
	for (uint32_t i = c->session->count; i-- > 0;)
		if (summary_is(&c->session->entry[i]) && i != c->artifact &&
		    c->keep[i] != KEEP_FOREIGN)
			return i;
	return NONE;
}

/* The first message, if it must stay, or NONE. It must stay if all messages before another agent's
 * message may go: the stream would then be that agent's. An artifact before that message would
 * still show whose stream it is. */
static uint32_t
find_first(const struct drop_order *order)
{
	const struct compaction *c = order->compaction;
	const struct session *t = c->session;
	uint32_t end = c->artifact != NONE ? c->artifact : summary_place(c), first = NONE;

	for (uint32_t i = 0; i < t->count && i < end; i++) {
		if (t->entry[i].kind != RECORD_MESSAGE)
			continue;
		if (first == NONE)
			first = i;
		if (!drop_order_may(order, i))
			return t->entry[i].outside ? first : NONE;
	}
	return NONE;
}

bool
drop_order_is_in(const struct drop_order *order, uint32_t index, enum drop_order_phase phase)
{
	if (order->phase != NULL && order->phase[index] >= PHASE_PAIRS)
		return order->phase[index] == phase;
	return phase <= PHASE_CURRENT &&
	    compaction_is_in(order->compaction, index, phase == PHASE_CURRENT);
}

/* Puts the newest pairs into a later phase, those in the recency window counted. */
static void
find_pairs(struct drop_order *order)
{
	const struct session *t = order->compaction->session;
	unsigned pairs = 0;

	for (uint32_t i = t->count; i-- > 0 && pairs < PAIRS_KEPT;) {
		if (!t->entry[i].has_calls || t->entry[i].outside)
			continue;
		if (order->phase[i] < PHASE_PAIRS)
			order->phase[i] = PHASE_PAIRS;
		pairs++;
	}
}

/* Puts the user's newest messages into the last phase. */
static void
find_user(struct drop_order *order)
{
	struct compaction *c = order->compaction;
	struct session *t = c->session;
	uint64_t left = c->options->target / 100 * USER_SHARE;

	for (uint32_t i = t->count; i-- > 0;) {
		struct message message;

		if (!framing_is_user(&t->entry[i]) || !drop_order_may(order, i))
			continue;
		entry_parse(&t->entry[i], &message);
		if (weigh_reaches(t, i, &message, left + 1, c->estimator))
			return;
		left -= weigh_entry(t, i, c->estimator);
		order->phase[i] = PHASE_USER;
	}
}

void
drop_order_init(struct drop_order *order, struct compaction *c, bool by_value)
{
	const struct session *t = c->session;

	*order = (struct drop_order){.compaction = c, .summary = find_summary(c), .first = NONE};
	order->first = find_first(order);
	if (!by_value || c->goals.fired != 0)
		return;
	order->phase = mem_alloc((size_t)t->count + 1, 1);
	for (uint32_t i = 0; i < t->count; i++)
		order->phase[i] = c->is_folded && t->entry[i].group != NONE &&
			t->group[t->entry[i].group].unresolved > 0 ?
		    PHASE_FAILED :
		    PHASE_EARLIER;
	find_pairs(order);
	find_user(order);
}

void
drop_order_free(struct drop_order *order)
{
	free(order->phase);
}

/* The fewest tokens of the entries that surely stay; counting stops once they are over the target.
 * The artifact is left out, because it is written anew. */
static uint64_t
least_that_stays(const struct drop_order *order)
{
	struct compaction *c = order->compaction;
	uint64_t sum = 0;

	for (uint32_t i = c->session->count; i-- > 0 && sum <= c->options->target;)
		if (i != c->artifact && !drop_order_may(order, i))
			sum += compaction_least_tokens(c, i, true);
	return sum;
}

/*
 * Units are dropped while more tokens remain than the target. So the least weight of each unit is
 * added to what stays, from the unit that goes last to the one that goes first. Once the sum is
 * over the target, that unit is doomed, and so are all that go before it.
 *
 *     goes first                                          goes last
 *     doomed doomed doomed doomed | unit unit unit unit unit + what stays <= target
 */
static void
doom_phase(const struct drop_order *order, enum drop_order_phase phase, uint64_t *least)
{
	struct compaction *c = order->compaction;
	const struct session *t = c->session;
	uint64_t target = c->options->target;
	uint32_t at, member;

	for (uint32_t i = t->count; i-- > 0;) {
		if (!session_is_head(t, i) || !drop_order_may(order, i) ||
		    !drop_order_is_in(order, i, phase))
			continue;
		for (at = 0; *least <= target && (member = session_unit_member(t, i, &at)) != NONE;)
			*least += compaction_least_tokens(c, member, true);
		if (*least <= target && !c->options->drops_all)
			continue;
		for (at = 0; (member = session_unit_member(t, i, &at)) != NONE;)
			compaction_doom(c, member);
	}
}

void
drop_order_doom(const struct drop_order *order)
{
	uint64_t least = least_that_stays(order);

	for (unsigned phase = PHASES; phase-- > 0;)
		doom_phase(order, phase, &least);
}
