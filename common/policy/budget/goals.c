#include "policy/budget/goals.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/message/timestamp.h"

static bool
is_inside(const struct entry *entry)
{
	return entry_is_in_thread(entry) && !entry->is_dropped;
}

static int64_t
time_of(const struct entry *entry)
{
	struct message message;

	entry_parse(entry, &message);
	return timestamp_read(message.meta[METADATA_TIMESTAMP]);
}

static int64_t
newest_time(const struct session *t)
{
	int64_t newest = -1;

	for (uint32_t i = 0; i < t->count; i++) {
		int64_t time = is_inside(&t->entry[i]) ? time_of(&t->entry[i]) : -1;

		if (time > newest)
			newest = time;
	}
	return newest;
}

static bool
is_too_old(const struct goals *goals, uint32_t index)
{
	struct message message;
	int64_t time;

	if (framing_has(goals->session, goals->framing, index))
		return false;
	entry_parse(&goals->session->entry[index], &message);
	time = timestamp_read(message.meta[METADATA_TIMESTAMP]);
	return time >= 0 && budget_ages(&message) &&
	    (uint64_t)(goals->newest_time - time) / 1000 > goals->limits->most[BUDGET_AGE];
}

/* The index of the limit that the entry's section has, or SECTION_LIMITS_MAX. */
static unsigned
find_limit(const struct goals *goals, const struct entry *entry)
{
	return section_limits_find(
	    &goals->limits->sections, session_section(goals->session, entry));
}

/* The sections that are over their limits, as bits. */
static unsigned
find_over(const struct goals *goals)
{
	uint64_t counts[SECTION_LIMITS_MAX] = {0};
	struct session *t = goals->session;

	for (uint32_t i = 0; i < t->count; i++) {
		unsigned limit =
		    is_inside(&t->entry[i]) ? find_limit(goals, &t->entry[i]) : SECTION_LIMITS_MAX;

		if (limit < SECTION_LIMITS_MAX)
			counts[limit] += weigh_entry(t, i, goals->estimator);
	}
	return section_limits_over(&goals->limits->sections, counts, goals->estimator);
}

static unsigned
find_touched(const struct goals *goals, uint32_t index)
{
	struct session *t = goals->session;
	const struct entry *entry = &t->entry[index];
	const bool *has = goals->limits->has;
	bool is[BUDGET_REASONS] = {false};
	unsigned bits = 0;

	if (!is_inside(entry))
		return 0;
	is[BUDGET_TOOL_RESULTS] = entry->role == ROLE_TOOL && !entry->is_compacted;
	is[BUDGET_MESSAGES] = true;
	is[BUDGET_TURNS] = entry->is_request;
	is[BUDGET_STEPS] =
	    entry->role == ROLE_ASSISTANT && entry->execution + 1 == t->execution_count;
	is[BUDGET_AGE] = has[BUDGET_AGE] && is_too_old(goals, index);
	if (goals->when != NULL) {
		weigh_entry(t, index, goals->estimator);
		is[BUDGET_WHEN] = selector_matches(goals->when, t, entry);
	}
	is[BUDGET_SECTION] = goals->over != 0 && (goals->over >> find_limit(goals, entry) & 1) != 0;
	for (enum budget_reason r = BUDGET_TRIGGERS; r < BUDGET_REASONS; r++)
		if (has[r] && is[r])
			bits |= 1u << r;
	return bits;
}

static void
set_touched(struct goals *goals, uint32_t index, unsigned bits)
{
	for (enum budget_reason r = BUDGET_TRIGGERS; r < BUDGET_REASONS; r++) {
		goals->figure[r] -= goals->touches[index] >> r & 1;
		goals->figure[r] += bits >> r & 1;
	}
	goals->touches[index] = (uint16_t)bits;
}

void
goals_note(struct goals *goals, uint32_t index)
{
	if (goals->fired != 0)
		set_touched(goals, index, find_touched(goals, index));
}

void
goals_measure(struct goals *goals)
{
	if (goals->touches == NULL)
		return;
	for (uint32_t i = 0; i < goals->session->count; i++)
		set_touched(goals, i, find_touched(goals, i));
}

static uint64_t
most(const struct goals *goals, enum budget_reason trigger)
{
	return trigger == BUDGET_AGE ? 0 : goals->limits->most[trigger];
}

unsigned
goals_missed_with(const struct goals *goals, uint64_t added)
{
	unsigned bits = 0;

	for (enum budget_reason r = BUDGET_TRIGGERS; goals->fired >> r != 0; r++)
		if (goals->fired >> r & 1 &&
		    goals->figure[r] + (r == BUDGET_MESSAGES ? added : 0) > most(goals, r))
			bits |= 1u << r;
	return bits;
}

unsigned
goals_missed(const struct goals *goals)
{
	return goals_missed_with(goals, goals->session->added_count);
}

bool
goals_allow_message(const struct goals *goals)
{
	const bool *has = goals->limits != NULL ? goals->limits->has : NULL;

	return has == NULL ||
	    (!has[BUDGET_MESSAGES] && !has[BUDGET_STEPS] && !has[BUDGET_WHEN] &&
		!has[BUDGET_SECTION]);
}

uint64_t
goals_window_turns(const struct goals *goals, uint64_t turns)
{
	if ((goals->fired >> BUDGET_TURNS & 1) != 0 && turns > most(goals, BUDGET_TURNS) / 2)
		return most(goals, BUDGET_TURNS) / 2;
	return turns;
}

bool
goals_leave_room(const struct goals *goals, uint32_t index, uint64_t *taken)
{
	bool fits = true;

	for (enum budget_reason r = BUDGET_TRIGGERS; goals->fired >> r != 0; r++)
		if (r != BUDGET_TURNS && goals->fired >> r & 1) {
			taken[r] += goals->touches[index] >> r & 1;
			fits = fits && taken[r] <= most(goals, r) / 2;
		}
	return fits;
}

void
goals_init(struct goals *goals, struct session *session, const struct budget_limits *limits,
    const struct selector *when, const struct framing *framing, struct estimator *estimator)
{
	*goals = (struct goals){.session = session,
	    .estimator = estimator,
	    .limits = limits,
	    .when = when,
	    .framing = framing};
	if (limits == NULL || session->count == 0)
		return;
	goals->touches = mem_alloc(session->count, sizeof *goals->touches);
	memset(goals->touches, 0, session->count * sizeof *goals->touches);
	if (limits->has[BUDGET_AGE])
		goals->newest_time = newest_time(session);
	if (limits->has[BUDGET_SECTION])
		goals->over = find_over(goals);
	goals_measure(goals);
	for (enum budget_reason r = BUDGET_TRIGGERS; r < BUDGET_REASONS; r++)
		if (limits->has[r] && goals->figure[r] > most(goals, r))
			goals->fired |= 1u << r;
}

void
goals_free(struct goals *goals)
{
	free(goals->touches);
}
