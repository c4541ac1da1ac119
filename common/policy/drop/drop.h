#ifndef POLICY_DROP_DROP_H
#define POLICY_DROP_DROP_H

/*
 * Drops whole groups and messages, oldest first, until the target is met. Their facts go into one
 * artifact directly after the protected head: the leading system and developer messages, the
 * context, and the framing of the task. An artifact that is already there gets the new facts and
 * keeps its place.
 *
 *     system  user  [artifact]  (dropped ...)  unresolved group  (dropped ...)  recency window
 *
 * Texts of the model beside dropped calls are dropped with them, unless a text is the model's
 * answer.
 */

#include "policy/drop/drop_how.h"

/* Dooms what drop_run will surely drop; call before any transform runs. */
void drop_prepare(struct compaction *compaction);

/* Drops as the pipeline says, until target and goals are met. Drops nothing if the artifact would
 * be larger than the dropped messages. If nothing can be dropped, the text of an earlier artifact
 * may still be shortened. */
void drop_run(struct compaction *compaction);

/* Only if nothing was dropped: rewrites an earlier digest with the lines that were cut from
 * results, if there is room under the target. Without an earlier digest, adds one of four lines or
 * more, unless a trigger counts messages. */
void drop_tell(struct compaction *compaction);

#endif
