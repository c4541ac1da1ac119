#ifndef POLICY_DROP_DROP_H
#define POLICY_DROP_DROP_H

/*
 * Dropping: whole groups and messages go, oldest first, until the target is met, and leave one
 * artifact with their facts right behind the protected head: the leading system and developer
 * messages, the context, and the framing of the task. An artifact that is there already gets
 * the new facts in its place.
 *
 *     system  user  [artifact]  (dropped ...)  unresolved group  (dropped ...)  recency window
 *
 * A text of the model beside its calls, which is not its answer, goes with them.
 */

#include "policy/drop/drop_how.h"

/* Dooms what drop_run will surely drop; call before any transform runs. */
void drop_prepare(struct compaction *compaction);

/* Drops as the pipeline says, until target and goals are met; drops nothing if the artifact would
 * weigh more than what it stands for. Where nothing can be dropped, an earlier artifact may still
 * have too much text. */
void drop_run(struct compaction *compaction);

/* Where nothing was dropped, writes an earlier digest anew with the lines that were cut from
 * results, if there is room for more under the target. Where there is no digest, one is added, of
 * four lines and more, unless a trigger counts messages. */
void drop_tell(struct compaction *compaction);

#endif
