#ifndef POLICY_DROP_DROP_HOW_H
#define POLICY_DROP_DROP_HOW_H

/*
 * How a pipeline drops: the rules of its changes, which messages go last, and the tokens of the
 * digest.
 */

#include "policy/compact/compaction.h"

enum {
	DROP_HOW_GAIN = 4, /* a digest gets one token for so many dropped bytes */
	DROP_HOW_LATE =
	    5, /* while units kept by value are dropped, a digest gets this part of the target */
};

struct drop_how {
	const struct change_rule *dropped, *added, *updated;
	/* Used instead of added and updated when the artifact has the text of a command. */
	const struct change_rule *told, *told_again;
	/* The text of the artifact is a digest, and the most valuable units are dropped last: the
	 * newest pairs of call and result, and the user's newest messages up to 15 % of the
	 * target. */
	bool by_value;
	bool has_symbols; /* that digest has a line for each message */
};

/* The rule for a change of the artifact with the text of a command; NULL: such a change has no text
 * of a command. */
const struct change_rule *drop_how_told(const struct drop_how *how, const struct change *change);

/* How the pipeline, a list ended by NULL, drops: by value if one of its transforms does. Returns
 * NULL if the pipeline drops nothing. */
const struct drop_how *drop_how_of(const struct transform *const *pipeline);

/* The most tokens of a digest; 0 if the pipeline makes none. With leaves_room, the most tokens of
 * the digest and the command's text together, two thirds of which are for the text. */
uint64_t drop_how_bound(const struct compaction *compaction);

/* Room for a digest, in tokens. To gain drop_how_reserve, recent messages are cut before a budget
 * is refused. To gain drop_how_wants, the largest results of the newest group are cut; it is no
 * less than the reserve, and else limited by the bytes that may be dropped. */
uint64_t drop_how_reserve(const struct compaction *compaction);
uint64_t drop_how_wants(const struct compaction *compaction);

#endif
