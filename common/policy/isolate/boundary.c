/*
 * The policy boundary: in executions that are over, each pair group becomes one trace artifact, and
 * other trace of the assistant is dropped.
 */

#include "data/session/session_locks.h"
#include "policy/isolate/artifacts.h"
#include "policy/isolate/said.h"
#include "policy/isolate/thinking.h"

static const struct change_rule loose = {
    STR_INIT("dropped"), STR_INIT("drop"), STR_INIT("loose trace"), STR_INIT("")};

/* Trace that an assistant left beside its calls: reasoning and commentary. */
static bool
is_loose_trace(const struct entry *entry)
{
	return entry->role == ROLE_ASSISTANT && entry->is_trace && !entry->has_calls &&
	    !entry->is_artifact && !entry->is_pinned && !entry->is_critical && !entry->is_final;
}

/* Decides about trace without calls. */
static bool
decide_loose(struct isolation *isolation, uint32_t index)
{
	struct session *t = isolation_session(isolation);
	enum term_answer answer = isolation_ask_old(isolation, &t->entry[index]);

	if (answer != TERM_YES)
		return answer == TERM_NO;
	answer = isolation_ask_chosen(isolation, index);
	if (answer == TERM_YES)
		change_drop(t, index, &loose);
	return answer != TERM_UNKNOWN;
}

/* Decides about a pair group at its calls. Sets *is_gone when an artifact takes its place. */
static bool
decide_group(struct isolation *isolation, uint32_t index, bool *is_gone)
{
	struct session *t = isolation_session(isolation);
	const struct entry *entry = &t->entry[index];
	const struct group *group = &t->group[entry->group];
	enum term_answer answer, thinking;
	enum group_lock lock;

	if (!session_is_settled(t, group))
		return false;
	if (session_is_current(t, entry))
		return true;
	thinking = said_ask_thinking(isolation, index);
	answer = thinking == TERM_UNKNOWN ? TERM_UNKNOWN : isolation_ask_chosen(isolation, index);
	if (answer != TERM_YES)
		return answer == TERM_NO;
	lock = session_group_lock(t, group);
	for (uint32_t at = 1, i;
	     lock == LOCK_UNRESOLVED && (i = session_member(t, group, &at)) != NONE;)
		if (t->entry[i].is_error)
			isolation_cut_error(isolation, i);
	/* An artifact for one of two groups that cross would leave the other's failure open. */
	if (lock != LOCK_NONE || group->is_crossed)
		return true;
	if (!artifacts_are_ready(isolation, entry->group))
		return false;
	*is_gone = artifacts_put(isolation, entry->group);
	if (!*is_gone && thinking == TERM_YES)
		thinking_remove(t, index, isolation->estimator);
	return true;
}

static bool
decide(struct isolation *isolation, uint32_t index)
{
	const struct entry *entry = &isolation_session(isolation)->entry[index];
	bool is_gone = false;

	if (entry->execution == NONE || entry->is_dropped)
		return true;
	if (is_loose_trace(entry))
		return decide_loose(isolation, index);
	if (!entry->has_calls || !entry->is_trace)
		return said_decide(isolation, index);
	if (!decide_group(isolation, index, &is_gone))
		return false;
	if (!is_gone)
		resolutions_note(
		    &isolation->resolutions, isolation_session(isolation), entry->group);
	return true;
}

const struct isolation_policy boundary_policy = {decide};
