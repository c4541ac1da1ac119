#ifndef SESSION_NO_MATCH_H
#define SESSION_NO_MATCH_H

/*
 * Searches and comparisons that found nothing: grep, rg, diff, cmp, test, git diff --quiet and
 * similar commands end with status 1 and print nothing. Such a result is no failure, even if the
 * client marked it as an error. With any output, or another status, the command failed.
 *
 *     rg -n gauge_hight src      Exit code: 1
 */

#include "data/session/session.h"

/* Whether message, a failed result of the call, is such a result. The use of the call must be set
 * (session_use). */
bool no_match_is(const struct call *call, const struct message *message);

#endif
