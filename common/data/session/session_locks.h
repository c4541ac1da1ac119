#ifndef SESSION_SESSION_LOCKS_H
#define SESSION_SESSION_LOCKS_H

/*
 * Why a group must not be changed or dropped, and whether later records can end this. A policy that
 * decides while the stream is read needs both.
 */

#include "data/session/session.h"

/* Why a group must not be changed or dropped, from the weakest reason to the strongest. */
enum group_lock {
	LOCK_NONE,
	LOCK_UNRESOLVED, /* a failure is unresolved: the group stays, but error text may be cut */
	LOCK_CRITICAL,   /* the group stays, but its texts may be cut before a refusal */
	LOCK_OPEN,       /* the group waits for a result */
	LOCK_FROZEN,     /* a bad line may hold a missing result */
	LOCK_PINNED,
};

/* Whether the group lacks a result, and its execution is current or not over. */
bool session_is_open(const struct session *session, const struct group *group);

/* The strongest reason not to change or drop the group. */
enum group_lock session_group_lock(const struct session *session, const struct group *group);

/* Why the entry and its group must stay in their section: LOCK_PINNED, LOCK_FROZEN or LOCK_OPEN; or
 * LOCK_NONE. */
enum group_lock session_section_lock(const struct session *session, const struct entry *entry);

/* Whether the group is trace, and only its failures may keep it: then a window decides about the
 * group when they are resolved, and not earlier. Any other group is kept in any case, and a window
 * may have forgotten it already. */
bool session_is_kept_by_failures(const struct session *session, const struct group *group);

/* Whether no later record can change the decision of a policy about the group. */
bool session_is_settled(const struct session *session, const struct group *group);

/* Whether no later record can change which calls of the group are unresolved. */
bool session_is_judged(const struct session *session, const struct group *group);

/* Whether one of two things is certain already: that the execution is over, or that it is the
 * current one. */
bool session_is_known(const struct session *session, uint32_t execution);

#endif
