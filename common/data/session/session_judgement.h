#ifndef SESSION_SESSION_JUDGEMENT_H
#define SESSION_SESSION_JUDGEMENT_H

/*
 * Which calls failed, which of the failures are resolved, and which failed calls were repeated.
 *
 * A failure is a failed result, or a call without a result in an execution that is over. It is
 * unresolved until one of these comes: metadata of the result with "resolved":true, a later message
 * that resolves the id of the call or of the message that failed, or a later call that succeeds and
 * has the same key, or the same target and a tool of the same kind. Of the failures of one key only
 * the newest is unresolved. With "resolved":false a failure stays unresolved. A result that says,
 * without "resolved", that the user refused the call is no failure.
 * In metadata of a call message, "resolved" names the calls without a result that are no failures:
 * an array of their ids, or true for all of them. A call whose result comes late has not failed.
 */

#include "data/session/session.h"

/* Finds the failures, and those that are resolved, in the entries from session->judged to end. */
void session_judge(struct session *session, uint32_t end);

/* Adds an unresolved call to the failures. session_learn must have been called for the call. */
void session_list_failure(struct session *session, uint32_t call);

/* Whether every call of the group failed, was repeated and failed again, and no other lock than
 * these failures keeps the group. The group is then not needed, since a later group has the same
 * information. Once true, this stays true. */
bool session_failed_again(const struct session *session, const struct group *group);

/* The newest repetition of a call that failed again. Follows the repetitions only while the state
 * of each is final, so that no later record can change it. The call itself when it did not fail
 * again. */
uint32_t session_newest_attempt(struct session *session, uint32_t call);

#endif
