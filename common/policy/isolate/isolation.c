#include "policy/isolate/isolation.h"

#include "data/session/session_locks.h"
#include "policy/text/cut.h"

static const struct change_rule cut_error = {
    STR_INIT("errors"), STR_INIT("cut"), STR_INIT("long error text"), STR_INIT("")};

enum term_answer
isolation_ask_old(const struct isolation *isolation, const struct entry *entry)
{
	const struct session *t = &isolation->window.held.session;

	if (!session_is_known(t, entry->execution))
		return TERM_UNKNOWN;
	return session_is_current(t, entry) ? TERM_NO : TERM_YES;
}

enum term_answer
isolation_ask_chosen(struct isolation *isolation, uint32_t index)
{
	struct session *t = isolation_session(isolation);
	uint32_t group = t->entry[index].group;
	enum term_answer answer;

	if (group == NONE && (t->entry[index].says_resolves || t->entry[index].says_forgets))
		return TERM_NO;
	if (isolation->options.chosen == NULL)
		return TERM_YES;
	if (group != NONE && t->group[group].has_choice)
		return t->group[group].is_chosen ? TERM_YES : TERM_NO;
	answer = selection_decide(isolation->options.chosen, t, index);
	if (group != NONE && answer != TERM_UNKNOWN) {
		t->group[group].has_choice = true;
		t->group[group].is_chosen = answer == TERM_YES;
	}
	return answer;
}

void
isolation_cut_error(struct isolation *isolation, uint32_t index)
{
	cut_content(isolation_session(isolation), index, &cut_error,
	    isolation->options.error_tokens, isolation->estimator);
}

/* The tokens that all changes save. */
static uint64_t
find_gain(struct isolation *isolation)
{
	struct session *t = isolation_session(isolation);
	uint64_t before = 0, after = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		if (change_of(t, i) == NULL)
			continue;
		before += weigh_original(t, i, isolation->estimator);
		if (!t->entry[i].is_dropped)
			after += weigh_entry(t, i, isolation->estimator);
	}
	return before - after;
}

void
isolation_settle(struct isolation *isolation)
{
	struct session *t = isolation_session(isolation);
	uint64_t gain;

	if (isolation->options.min_gain == 0 || t->change_count == 0)
		return;
	gain = find_gain(isolation);
	if (gain >= isolation->options.min_gain)
		return;
	isolation->refused_gain = gain;
	change_undo(t, 0);
}
