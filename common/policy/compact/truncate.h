#ifndef POLICY_COMPACT_TRUNCATE_H
#define POLICY_COMPACT_TRUNCATE_H

/*
 * Whole groups and messages go, oldest first, until the target is met, and leave one artifact with
 * their facts right behind the protected head: the leading system and developer messages, the
 * context, and the first message of the user. An artifact that is there already gets the new facts
 * in its place. If that is not enough, the middles of the longest messages go.
 *
 *     system  user  [artifact]  (dropped ...)  unresolved group  (dropped ...)  recency window
 *
 * The newest summary that somebody else made is not dropped: it is what is left of the messages
 * before it. Nor is the first message of the stream, or its group, when another agent's message
 * would be the first without it: a stream is of the agent that it begins with.
 */

#include "policy/compact/compaction.h"

void truncate_run(struct compaction *compaction);

#endif
