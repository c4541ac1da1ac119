#ifndef POLICY_DROP_DROP_HOW_H
#define POLICY_DROP_DROP_HOW_H

/*
 * How a pipeline drops: the rules of its changes, what goes last, and the tokens of the digest that
 * is left of it.
 */

#include "policy/compact/compaction.h"

enum {
	DROP_HOW_GAIN =
	    4, /* a digest has a token for so many bytes that went: no more than they had */
	DROP_HOW_LATE = 5, /* what is kept by value goes for no more than that part of the target */
};

struct drop_how {
	const struct change_rule *dropped, *added, *updated;
	/* In place of added and updated, when the text of a command is in the artifact. */
	const struct change_rule *told, *told_again;
	/* The text of the artifact is a digest, and what is worth most goes last: the newest pairs
	 * of call and result, and the user's newest messages up to 15 % of the target. */
	bool by_value;
	bool has_symbols; /* that digest has a line for each message */
};

/* The rule that a change of the artifact gets with the text of a command, or NULL: there is no
 * place for one. */
const struct change_rule *drop_how_told(const struct drop_how *how, const struct change *change);

/* How the pipeline, which NULL ends, drops: by value, where one of its transforms does. NULL: it
 * drops nothing. */
const struct drop_how *drop_how_of(const struct transform *const *pipeline);

/* The most tokens of a digest; with leaves_room, of the digest and the command's text, two thirds
 * of which are the text's; 0: there is none, and where nothing is kept by value. */
uint64_t drop_how_bound(const struct compaction *compaction);

/* The tokens of a digest for which recent messages are cut before a budget is refused, and those,
 * no fewer, for which the largest results of the newest group are: no more than what may be dropped
 * is worth. */
uint64_t drop_how_reserve(const struct compaction *compaction);
uint64_t drop_how_wants(const struct compaction *compaction);

#endif
