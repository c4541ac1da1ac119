#include "policy/selection.h"

#include "data/session/session_locks.h"
#include "policy/budget/weigh.h"

static enum term_answer
ask_one(const struct selectors *selectors, struct session *t, uint32_t entry,
    struct estimator *estimator)
{
	if (selectors->needs_tokens)
		weigh_entry(t, entry, estimator);
	return selectors_ask(selectors, t, &t->entry[entry]);
}

/* The answer of a group of which no message matches. */
static enum term_answer
answer_without(const struct session *t, const struct group *group)
{
	bool is_open = group->answered < group->calls && !group->is_given_up && !t->has_ended;

	return is_open ? TERM_UNKNOWN : TERM_NO;
}

enum term_answer
selection_ask_group(const struct selectors *selectors, struct session *t, uint32_t entry,
    struct estimator *estimator)
{
	const struct group *group;
	enum term_answer answer;
	uint32_t at = 0, member;

	if (t->entry[entry].group == NONE)
		return ask_one(selectors, t, entry, estimator);
	group = &t->group[t->entry[entry].group];
	answer = answer_without(t, group);
	while ((member = session_member(t, group, &at)) != NONE) {
		enum term_answer one = ask_one(selectors, t, member, estimator);

		if (one == TERM_YES)
			return one;
		if (one == TERM_UNKNOWN)
			answer = one;
	}
	return answer;
}

static enum term_answer
negate(enum term_answer answer)
{
	return answer == TERM_UNKNOWN ? answer : answer == TERM_YES ? TERM_NO : TERM_YES;
}

/* Asks the messages of the group that have not been asked, and the first one whose answer was not
 * known: until it is, those after it need not be asked again. */
static enum term_answer
ask_on(const struct selectors *selectors, struct selection_progress *progress, struct session *t,
    uint32_t head, struct estimator *estimator)
{
	const struct group *group = &t->group[t->entry[head].group];
	enum term_answer answer = answer_without(t, group);
	uint32_t i = (uint32_t)(progress->next - t->gone.entries);
	bool is_sure = true;

	for (; i < t->count; i++) {
		enum term_answer one = t->entry[i].group == t->entry[head].group ?
		    ask_one(selectors, t, i, estimator) :
		    TERM_NO;

		if (one == TERM_YES)
			return one;
		if (one == TERM_UNKNOWN && is_sure) {
			answer = one;
			is_sure = false;
			progress->next = t->gone.entries + i;
			if (progress->seen > progress->next)
				i = (uint32_t)(progress->seen - t->gone.entries) - 1;
		}
	}
	progress->seen = t->gone.entries + t->count;
	if (is_sure)
		progress->next = progress->seen;
	return answer;
}

static enum term_answer
ask_any(const struct selection *selection, const struct selectors *selectors,
    struct selection_progress *progress, struct session *t, uint32_t entry)
{
	if (selection->is_exact || t->entry[entry].group == NONE)
		return ask_one(selectors, t, entry, selection->estimator);
	return ask_on(selectors, progress, t, entry, selection->estimator);
}

static enum term_answer
ask_all(struct selection *selection, struct session *t, uint32_t entry)
{
	enum term_answer answer = TERM_YES, rejected = TERM_NO;

	if (selection->select.count > 0)
		answer = ask_any(selection, &selection->select, &selection->selected, t, entry);
	if (selection->reject.count > 0 && answer != TERM_NO)
		rejected = ask_any(selection, &selection->reject, &selection->rejected, t, entry);
	if (rejected == TERM_YES || (rejected == TERM_UNKNOWN && answer == TERM_YES))
		answer = negate(rejected);
	return selection->is_inverted ? negate(answer) : answer;
}

static struct selection_state
look(const struct session *t, uint32_t entry)
{
	uint32_t group = t->entry[entry].group;
	struct selection_state state = {.raw = t->entry[entry].raw,
	    .number = t->gone.entries + entry,
	    .turns = t->turn_count,
	    .executions = t->gone.executions + t->execution_count,
	    .is_candidate = entry == t->answer || entry == t->error,
	    .has_ended = t->has_ended};

	if (group != NONE) {
		state.answered = t->group[group].answered;
		state.is_judged = session_is_judged(t, &t->group[group]);
	}
	return state;
}

static bool
is_same(struct selection_state a, struct selection_state b)
{
	return a.raw == b.raw && a.number == b.number && a.turns == b.turns &&
	    a.executions == b.executions && a.answered == b.answered &&
	    a.is_judged == b.is_judged && a.is_candidate == b.is_candidate &&
	    a.has_ended == b.has_ended;
}

enum term_answer
selection_decide(struct selection *selection, struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index], *head = session_head(t, entry);
	struct selection_state state;

	if (!selection->is_exact && head != entry)
		return head->is_dropped ? TERM_NO : TERM_YES;
	if (!selection->is_exact && entry->lost != NONE)
		return session_is_lost_head_dropped(t, entry) ? TERM_NO : TERM_YES;
	state = look(t, index);
	if (is_same(selection->state, state))
		return selection->answer;
	if (selection->state.raw != state.raw || selection->state.number != state.number)
		selection->selected = selection->rejected =
		    (struct selection_progress){state.number, state.number};
	selection->state = state;
	selection->answer = ask_all(selection, t, index);
	return selection->answer;
}

bool
selection_needs_session(const struct selection *selection)
{
	return !selection->is_exact || selection->select.needs_session ||
	    selection->reject.needs_session;
}

bool
selection_has(const struct selection *selection, const struct message *message)
{
	bool is_chosen = (selection->select.count == 0 ||
			     selectors_match_message(&selection->select, message)) &&
	    !selectors_match_message(&selection->reject, message);

	return is_chosen != selection->is_inverted;
}

void
selection_free(struct selection *selection)
{
	selectors_free(&selection->select);
	selectors_free(&selection->reject);
}
