#ifndef POLICY_COMPACT_DROP_H
#define POLICY_COMPACT_DROP_H

/*
 * Dropping: whole groups and messages go, oldest first, until the target is met, and leave one
 * artifact with their facts right behind the protected head: the leading system and developer
 * messages, the context, and the framing of the task. An artifact that is there already gets
 * the new facts in its place.
 *
 *     system  user  [artifact]  (dropped ...)  unresolved group  (dropped ...)  recency window
 *
 * A text of the model beside its calls, which is not its answer, goes with them.
 *
 * The newest summary that somebody else made is not dropped, because it is all that is left of the
 * messages before it. A stream belongs to the agent of its first message. So the first message,
 * with its group, is not dropped if another agent's message would then be the first.
 */

#include "policy/compact/compaction.h"

struct drop_how {
	const struct change_rule *dropped, *added, *updated;
	/* In place of added and updated, when the text of a command is in the artifact. */
	const struct change_rule *told, *told_again;
	/* The text of the artifact is a digest, and what is worth most goes last: the newest pairs
	 * of call and result, and the user's newest messages up to 15 % of the target. */
	bool by_value;
	bool has_symbols; /* that digest has a line for each message */
};

extern const struct drop_how summarize_how, symbolize_how;

/* The rule that a change of the artifact gets with the text of a command, or NULL: there is no
 * place for one. */
const struct change_rule *drop_told(const struct drop_how *how, const struct change *change);

/* Whether summarize or symbolize is in the pipeline: they keep by value. */
bool drop_keeps_by_value(const struct compaction *compaction);

/* The most tokens of a digest; with leaves_room, of the digest and the command's text, two thirds
 * of which are the text's; 0: there is none. */
uint64_t drop_bound(const struct compaction *compaction);

/* Dooms what drop_run will surely drop; call before any transform runs. */
void drop_prepare(struct compaction *compaction, const struct drop_how *how);

/* Drops until target and goals are met; drops nothing if the artifact would weigh more than what it
 * stands for. Where nothing can be dropped, an earlier artifact may still have too much text. */
void drop_run(struct compaction *compaction, const struct drop_how *how);

#endif
