#include "policy/keep.h"

#include "base/mem.h"
#include "data/session/declined.h"
#include "data/session/session_locks.h"
#include "policy/selection.h"

struct keeper {
	struct session *session;
	const struct keep_choice *choice;
	const struct framing *framing;
	struct estimator *estimator;
	const struct goals *goals;
	uint8_t *keep;
};

static bool
is_in_thread(const struct entry *entry)
{
	return entry_is_in_thread(entry) && entry->role != ROLE_OTHER;
}

static void
strengthen(struct keeper *keeper, uint32_t entry, enum keep keep)
{
	if (keeper->keep[entry] < keep)
		keeper->keep[entry] = (uint8_t)keep;
}

/* A failed result without a call is in no group: only its own metadata can resolve it. */
static bool
is_lone_failure(const struct entry *entry)
{
	struct message message;

	if (entry->role != ROLE_TOOL || entry->group != NONE || !entry->is_error)
		return false;
	entry_parse(entry, &message);
	return !message_is(&message, METADATA_RESOLVED) && !declined_says(&message);
}

static enum keep
own_reason(const struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index];

	if (!is_in_thread(entry))
		return KEEP_FOREIGN;
	if (role_is_system(entry->role))
		return KEEP_SYSTEM;
	if (entry->is_pinned)
		return KEEP_PINNED;
	if (entry->is_critical)
		return KEEP_CRITICAL;
	return is_lone_failure(entry) ? KEEP_UNRESOLVED : KEEP_NOT;
}

/* Gives all members of the entry's unit a reason, where theirs is weaker; with KEEP_NOT, no reason
 * changes. Returns the strongest reason among the members. */
static enum keep
strengthen_unit(struct keeper *keeper, uint32_t index, enum keep keep)
{
	enum keep strongest = KEEP_DOOMED;

	for (uint32_t at = 0, i; (i = session_unit_member(keeper->session, index, &at)) != NONE;) {
		strengthen(keeper, i, keep);
		if (keeper->keep[i] > strongest)
			strongest = keeper->keep[i];
	}
	return strongest;
}

/* Whether the goals leave room in the window for the entry, or for its group. */
static bool
leaves_room(const struct keeper *keeper, uint32_t index, uint64_t *taken)
{
	const struct session *t = keeper->session;
	uint32_t at = 0, member;
	bool room = true;

	while ((member = session_unit_member(t, index, &at)) != NONE)
		room = goals_leave_room(keeper->goals, member, taken) && room;
	return room;
}

static void
find_window(struct keeper *keeper, const struct keep_window *window, uint32_t artifact)
{
	struct session *t = keeper->session;
	enum keep keep = window->is_given ? KEEP_WINDOW : KEEP_RECENT;
	uint64_t turns =
	    window->is_given ? window->turns : goals_window_turns(keeper->goals, window->turns);
	uint64_t messages = 0, tokens = 0, taken[BUDGET_REASONS] = {0};
	bool is_newest = true;

	for (uint32_t i = t->count; i-- > 0;) {
		const struct entry *entry = &t->entry[i];
		const struct group *group = entry->group != NONE ? &t->group[entry->group] : NULL;

		if (!is_in_thread(entry) || i == artifact)
			continue;
		if (!is_newest && (uint64_t)entry->turn + turns <= t->turn_count)
			return;
		if (group != NULL && group->last != i)
			continue; /* the group was taken at its last member */
		tokens += weigh_unit(t, i, keeper->estimator);
		messages += group != NULL ? 1 + group->answered : 1;
		if (!is_newest && (tokens > window->tokens || messages > window->messages))
			return;
		if (!leaves_room(keeper, i, taken) && !is_newest && !window->is_given)
			return;
		strengthen_unit(keeper, i, keep);
		is_newest = false;
	}
}

static bool
is_selected(struct keeper *keeper, const struct selectors *selectors, uint32_t index)
{
	return selection_ask_group(selectors, keeper->session, index, keeper->estimator) ==
	    TERM_YES;
}

static void
find_chosen(struct keeper *keeper, uint32_t artifact)
{
	const struct session *t = keeper->session;
	const struct keep_choice *choice = keeper->choice;
	uint64_t messages = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		if (entry->kind == RECORD_MESSAGE && messages++ < choice->cached)
			strengthen(keeper, i, KEEP_CACHED);
		if (!is_in_thread(entry) || i == artifact ||
		    (entry->group != NONE && !entry->has_calls))
			continue;
		if (choice->select->count > 0 && !is_selected(keeper, choice->select, i))
			strengthen(keeper, i, KEEP_UNSELECTED);
		if (choice->protect->count > 0 && is_selected(keeper, choice->protect, i))
			strengthen(keeper, i, KEEP_PROTECTED);
	}
}

static uint32_t
find_newest_user(const struct session *t)
{
	for (uint32_t i = t->count; i-- > 0;)
		if (framing_is_user(&t->entry[i]))
			return i;
	return NONE;
}

/* Sets request->first to the first message of the execution of the user's newest message, if that
 * execution goes on. An artifact knows better where the execution began, if the newest message that
 * the artifact names is of the same execution. */
static void
find_beginning(const struct session *t, struct keep_request said, struct keep_request *request)
{
	uint32_t index = t->entry[request->newest].execution;
	const struct execution *execution = &t->execution[index];

	if (execution->is_over && !execution->is_current)
		return;
	request->first = execution->first;
	if (said.first != NONE && said.newest != NONE && t->entry[said.newest].execution == index)
		request->first = said.first;
}

static void
find_request(struct keeper *keeper, struct keep_request *request)
{
	const struct session *t = keeper->session;
	struct keep_request said = *request;
	uint32_t newest = find_newest_user(t);

	*request = (struct keep_request){newest, newest};
	if (newest == NONE)
		return;
	find_beginning(t, said, request);
	if (keeper->keep[newest] == KEEP_FRAMING && newest != keeper->framing->first)
		keeper->keep[newest] = KEEP_REQUEST;
	strengthen(keeper, newest, KEEP_REQUEST);
	if (session_is_current(t, &t->entry[newest]) && framing_is_user(&t->entry[request->first]))
		strengthen(keeper, request->first, KEEP_REQUEST);
}

static enum keep
group_reason(const struct keeper *keeper, const struct group *group, struct keep_request request)
{
	static const enum keep reason[] = {[LOCK_NONE] = KEEP_NOT,
	    [LOCK_UNRESOLVED] = KEEP_UNRESOLVED,
	    [LOCK_CRITICAL] = KEEP_CRITICAL,
	    [LOCK_OPEN] = KEEP_OPEN,
	    [LOCK_FROZEN] = KEEP_FROZEN,
	    [LOCK_PINNED] = KEEP_PINNED};
	const struct session *t = keeper->session;
	enum group_lock lock = session_group_lock(t, group);

	if (lock < LOCK_OPEN && group->answered < group->calls && request.first < request.newest &&
	    group->entry >= request.first)
		lock = LOCK_OPEN;
	return reason[lock];
}

bool
keep_is_failure(const struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index];

	if (entry->role != ROLE_TOOL || entry->call == NONE)
		return entry->role == ROLE_TOOL && entry->is_error;
	return t->call[entry->call].is_unresolved;
}

/* An unresolved group keeps its call and its failures; its other results may be shortened. */
static void
strengthen_unresolved(struct keeper *keeper, const struct group *group)
{
	const struct session *t = keeper->session;

	strengthen(keeper, group->entry, KEEP_UNRESOLVED);
	for (uint32_t at = 1, i; (i = session_member(t, group, &at)) != NONE;)
		strengthen(keeper, i, keep_is_failure(t, i) ? KEEP_UNRESOLVED : KEEP_SIBLING);
}

uint8_t *
keep_find(struct session *t, const struct keep_window *window, const struct keep_choice *choice,
    uint32_t artifact, const struct framing *framing, struct keep_request *request,
    const struct goals *goals, struct estimator *estimator)
{
	struct keeper keeper = {
	    t, choice, framing, estimator, goals, mem_alloc(t->count > 0 ? t->count : 1, 1)};

	for (uint32_t i = 0; i < t->count; i++) {
		keeper.keep[i] = (uint8_t)own_reason(t, i);
		if (framing_has(t, framing, i))
			strengthen(&keeper, i, KEEP_FRAMING);
	}
	find_chosen(&keeper, artifact);
	find_window(&keeper, window, artifact);
	find_request(&keeper, request);
	for (uint32_t i = 0; i < t->group_count; i++) {
		const struct group *group = &t->group[i];
		enum keep reason = group_reason(&keeper, group, *request);
		enum keep strongest = strengthen_unit(&keeper, group->entry, KEEP_NOT);

		if (reason == KEEP_UNRESOLVED && strongest <= KEEP_NOT)
			strengthen_unresolved(&keeper, group);
		else
			strengthen_unit(
			    &keeper, group->entry, reason > strongest ? reason : strongest);
	}
	return keeper.keep;
}

const char *
keep_name(enum keep keep)
{
	static const char *const names[] = {
	    [KEEP_DOOMED] = "no need",
	    [KEEP_NOT] = "no need",
	    [KEEP_SIBLING] = "beside a failure",
	    [KEEP_UNRESOLVED] = "unresolved",
	    [KEEP_RECENT] = "recency window",
	    [KEEP_CRITICAL] = "critical",
	    [KEEP_WINDOW] = "recency window",
	    [KEEP_REQUEST] = "what the user asked last",
	    [KEEP_FRAMING] = "what the user asked first",
	    [KEEP_CACHED] = "in the provider's cache",
	    [KEEP_UNSELECTED] = "not selected",
	    [KEEP_PROTECTED] = "protected",
	    [KEEP_OPEN] = "open",
	    [KEEP_FROZEN] = "a bad line may be part of it",
	    [KEEP_PINNED] = "pinned",
	    [KEEP_SYSTEM] = "system",
	    [KEEP_FOREIGN] = "not of this thread",
	};

	return names[keep];
}
