#ifndef POLICY_ARTIFACT_H
#define POLICY_ARTIFACT_H

/*
 * The trace artifact: one short assistant message that stands for a pair group of an execution
 * that is over, and keeps its facts.
 *
 *     {"role":"assistant","content":"[trace] read a.c: ok, 9 kB","metadata":{"kind":"trace",
 *      "scope":"historical",…,"is_trace":true,"compacted":true,"facts":{"tool":"read",…}}}
 */

#include "data/session.h"

/* Appends the artifact of the group, whose calls are learned. With brief set the artifact has no
 * scope and no facts: a group that is hardly larger leaves no room for them. */
void artifact_write(
    const struct session *session, const struct group *group, bool brief, struct buf *buf);

#endif
