#ifndef POLICY_CLEAR_H
#define POLICY_CLEAR_H

/*
 * Drops a section of the thread, by whole groups. A message or group stays that is open, pinned, or
 * that a bad line may belong to. The system and developer messages that lead the stream are in no
 * section here, since they stand in front of all sections of a view. The first message of the
 * stream, or its group, stays if another agent's message would be the first without it: the stream
 * would then be that agent's.
 *
 * Memory: a byte for each entry.
 */

#include "data/change.h"
#include "data/session/session_locks.h"

/* Drops the section from the session, which has ended. stays[i], for each entry, is set to the
 * reason why a message of the section stays, or to LOCK_NONE. A group has its reason at its call
 * message. */
void clear_section(struct session *session, struct str name, enum group_lock *stays);

/* Unsets goes of the first message, and of its group, if another agent's message would be the first
 * without it. goes says of each entry whether it goes. */
void clear_keep_agent(const struct session *session, uint32_t first, bool *goes);

#endif
