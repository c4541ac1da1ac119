#ifndef SESSION_SESSION_JUDGEMENT_H
#define SESSION_SESSION_JUDGEMENT_H

/*
 * Which calls failed, which of the failures are resolved, and which attempts were made again.
 *
 * A failure is a failed result, or a call without a result in an execution that is over. It is
 * unresolved until one of these comes: metadata of the result with "resolved":true, a later message
 * that resolves the id of the call or of the message that failed, or a later call that succeeds and
 * has the same key, or the same target and a tool of the same kind. Of the failures of one key only
 * the newest is unresolved. With "resolved":false a failure stays unresolved. A result that says,
 * without "resolved", that the user refused the call is no failure.
 * In metadata of a call message, "resolved" names the calls without a result that are no failures:
 * an array of their ids, or true. A call whose result comes late has not failed.
 */

#include "data/session/session.h"

/* Judges the calls and results of the entries before end that are not judged yet. */
void session_judge(struct session *session, uint32_t end);

/* Puts an unresolved call among the failures. session_learn must have been called for it. */
void session_list_failure(struct session *session, uint32_t call);

/* Whether all calls of the group failed and failed again, so that a later group says the same and
 * nothing keeps this one. Once that is so it stays so. */
bool session_failed_again(const struct session *session, const struct group *group);

/* The newest attempt of a call that failed and failed again, as far as it is known which one it is:
 * none of the calls before it gets another result. The call itself when it did not fail again. */
uint32_t session_newest_attempt(struct session *session, uint32_t call);

#endif
