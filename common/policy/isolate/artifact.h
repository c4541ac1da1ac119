#ifndef POLICY_ISOLATE_ARTIFACT_H
#define POLICY_ISOLATE_ARTIFACT_H

/*
 * The trace artifact: one short assistant message that stands for a pair group of an execution that
 * is over, and keeps the facts of the group.
 *
 *     {"role":"assistant","content":"[trace] read a.c: ok, 9 kB","metadata":{"kind":"trace",
 *      "scope":"historical",…,"is_trace":true,"compacted":true,"facts":{"tool":"read",…}}}
 */

#include "data/archive.h"
#include "policy/weigh.h"

/* Appends the artifact of the group. The uses of its calls must be known (session_use). On the way
 * notes what is seen of the tokens of the results (weigh_note). A group that is
 * hardly larger than its artifact leaves no room for facts: with brief set the artifact has no
 * scope and no facts. gone has the keys of the group where the session is archived, and else none.
 * Returns the most tokens of a vocabulary that the artifact can have. */
uint64_t artifact_write(struct session *session, const struct group *group, bool brief,
    const struct archive_list *gone, struct estimator *estimator, struct buf *buf);

#endif
