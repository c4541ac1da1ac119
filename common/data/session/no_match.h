#ifndef SESSION_NO_MATCH_H
#define SESSION_NO_MATCH_H

/*
 * Searches and comparisons that found nothing: grep, rg, diff, cmp, test, git diff --quiet and
 * alike end with status 1 and print nothing. That is an outcome, and no failure, whatever flag a
 * client put on it. With any text, or another status, something went wrong.
 *
 *     rg -n gauge_hight src      Exit code: 1
 */

#include "data/session/session.h"

/* Whether the message, which is a failed result of the call, says so. The use of the call must be
 * known. */
bool no_match_is(const struct call *call, const struct message *message);

#endif
