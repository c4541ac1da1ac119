#ifndef SESSION_SESSION_LOCKS_H
#define SESSION_SESSION_LOCKS_H

/*
 * Why a group must not be touched, and whether that can still change: a policy that decides while
 * the stream runs asks both.
 */

#include "data/session/session.h"

/* Why a group must not be touched. */
enum group_lock {
	LOCK_NONE,
	LOCK_UNRESOLVED, /* a failure is unresolved: the group stays, but error text may be cut */
	LOCK_CRITICAL,   /* the group stays, but its texts may be cut before a refusal */
	LOCK_OPEN,       /* the group waits for a result */
	LOCK_FROZEN,     /* a bad line may hold a missing result */
	LOCK_PINNED,
};

/* Whether the group lacks a result and its execution is current or not over. */
bool session_is_open(const struct session *session, const struct group *group);

/* The strongest reason not to touch the group. */
enum group_lock session_group_lock(const struct session *session, const struct group *group);

/* Why the entry, with its group, stays in its section: pinned, frozen or open; or LOCK_NONE. */
enum group_lock session_section_lock(const struct session *session, const struct entry *entry);

/* Whether the group is trace that nothing but its failures holds: a window decides about it no
 * earlier than these are resolved. Any other group stays, and a window may have forgotten it. */
bool session_has_waited(const struct session *session, const struct group *group);

/* Whether no later record can change what a policy does to the group. */
bool session_is_settled(const struct session *session, const struct group *group);

/* Whether no later record can change which calls of the group are unresolved. */
bool session_is_judged(const struct session *session, const struct group *group);

/* Whether it is certain by now that the execution is over, or that it is the current one. */
bool session_is_known(const struct session *session, uint32_t execution);

#endif
