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
 * before it.
 */

#include "policy/compact/compaction.h"

void truncate_run(struct compaction *compaction);

#endif
