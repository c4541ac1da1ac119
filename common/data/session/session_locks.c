#include "data/session/session_locks.h"

bool
session_is_open(const struct session *t, const struct group *group)
{
	uint32_t execution = t->entry[group->entry].execution;

	return group->answered < group->calls && execution != NONE &&
	    (t->execution[execution].is_current || !t->execution[execution].is_over);
}

enum group_lock
session_group_lock(const struct session *t, const struct group *group)
{
	if (group->is_pinned)
		return LOCK_PINNED;
	if (group->is_frozen)
		return LOCK_FROZEN;
	if (session_is_open(t, group))
		return LOCK_OPEN;
	if (group->is_critical)
		return LOCK_CRITICAL;
	return group->unresolved > 0 || group->is_given_up ? LOCK_UNRESOLVED : LOCK_NONE;
}

enum group_lock
session_section_lock(const struct session *t, const struct entry *entry)
{
	enum group_lock lock;

	if (entry->group == NONE)
		return entry->is_pinned ? LOCK_PINNED : LOCK_NONE;
	lock = session_group_lock(t, &t->group[entry->group]);
	return lock >= LOCK_OPEN ? lock : LOCK_NONE;
}

bool
session_is_kept_by_failures(const struct session *t, const struct group *group)
{
	return t->entry[group->entry].is_trace && !group->is_pinned && !group->is_frozen &&
	    !group->is_given_up;
}

bool
session_is_known(const struct session *t, uint32_t execution)
{
	return t->has_ended || t->execution[execution].is_over ||
	    (t->current == CURRENT_ID && t->execution[execution].is_current);
}

bool
session_is_judged(const struct session *t, const struct group *group)
{
	uint32_t execution = t->entry[group->entry].execution;

	if (t->has_ended || execution == NONE || group->is_given_up)
		return true;
	return session_is_known(t, execution) && group->answered == group->calls &&
	    group->last < t->judged && group->resolvable == 0;
}

bool
session_is_settled(const struct session *t, const struct group *group)
{
	return group->is_pinned || group->is_frozen || session_is_judged(t, group);
}
