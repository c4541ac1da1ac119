#include "policy/isolate/said.h"

#include "data/session/session_locks.h"
#include "policy/isolate/thinking.h"

static const struct change_rule interim = {
    STR_INIT("interim"), STR_INIT("drop"), STR_INIT("interim text"), STR_INIT("")};

/* Whether the message, at the front of the window, has thinking. The answer is kept, since a
 * message that waits is asked about with each record that comes. */
static bool
has_thinking(struct isolation *isolation, const struct entry *entry)
{
	struct message message;

	if (isolation->asked != entry->raw) {
		entry_parse(entry, &message);
		isolation->asked = entry->raw;
		isolation->has_thinking = thinking_is_in(&message);
	}
	return isolation->has_thinking;
}

/* Whether the turn of the entry is older than the newest ones, of which thinking stays, and the run
 * that it belongs to is over. */
static enum term_answer
ask_aged(const struct isolation *isolation, const struct entry *entry)
{
	const struct session *t = &isolation->window.held.session;

	if (t->turn_count - entry->turn < isolation->options.thinking_turns)
		return t->has_ended ? TERM_NO : TERM_UNKNOWN;
	return t->execution[entry->execution].is_over ? TERM_YES : TERM_NO;
}

enum term_answer
said_ask_thinking(struct isolation *isolation, uint32_t index)
{
	const struct entry *entry = &isolation_session(isolation)->entry[index];
	enum term_answer answer;

	if (!isolation->options.drops_thinking || !has_thinking(isolation, entry))
		return TERM_NO;
	answer = isolation_ask_old(isolation, entry);
	return answer == TERM_YES ? ask_aged(isolation, entry) : answer;
}

/* Whether the entry may be changed, if the user chose it. */
static enum term_answer
ask_unlocked(const struct session *t, const struct entry *entry)
{
	const struct group *group;

	if (!entry->has_calls)
		return TERM_YES;
	group = &t->group[entry->group];
	if (!session_is_settled(t, group))
		return TERM_UNKNOWN;
	return session_group_lock(t, group) == LOCK_NONE ? TERM_YES : TERM_NO;
}

bool
said_decide(struct isolation *isolation, uint32_t index)
{
	struct session *t = isolation_session(isolation);
	const struct entry *entry = &t->entry[index];
	enum term_answer thinking, answer;
	bool is_said;

	if (entry->execution == NONE || entry->role != ROLE_ASSISTANT || entry->is_artifact ||
	    entry->is_pinned || entry->is_critical || entry->is_dropped)
		return true;
	thinking = said_ask_thinking(isolation, index);
	is_said = isolation->options.drops_interim && !entry->has_calls && !entry->is_trace &&
	    !entry->is_error && entry->origin == ORIGIN_ASSISTANT;
	if (!is_said && thinking != TERM_YES)
		return thinking == TERM_NO;
	answer = isolation_ask_old(isolation, entry);
	if (answer == TERM_YES)
		answer = ask_unlocked(t, entry);
	if (answer == TERM_YES)
		answer = isolation_ask_chosen(isolation, index);
	if (answer != TERM_YES)
		return answer == TERM_NO;
	if (is_said && !entry->is_final)
		change_drop(t, index, &interim);
	else if (thinking == TERM_YES)
		thinking_remove(t, index, isolation->estimator);
	else
		return thinking == TERM_NO;
	return true;
}
