#ifndef POLICY_CLEAR_H
#define POLICY_CLEAR_H

/*
 * Drops a section of the thread, by whole groups. A message or group stays if it is open, if it is
 * pinned, or if a bad line may belong to it. The system and developer messages at the start of the
 * stream are in no section here, since they precede all sections of a view. The first message of
 * the stream, or its group, stays if another agent's message would be the first without it: the
 * stream would then be that agent's.
 *
 * Memory: a byte for each entry.
 */

#include "data/session/session_locks.h"

/* Drops the section from the session, which has ended. stays[i], for each entry, is set to the
 * reason why a message of the section stays, or to LOCK_NONE. A group has its reason at its call
 * message. */
void clear_section(struct session *session, struct str name, enum group_lock *stays);

/* goes[i] says whether entry i is dropped. Sets goes to false for the first message and its group,
 * if without them the stream would begin with another agent's message. */
void clear_keep_agent(const struct session *session, uint32_t first, bool *goes);

#endif
