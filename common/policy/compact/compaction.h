#ifndef POLICY_COMPACT_COMPACTION_H
#define POLICY_COMPACT_COMPACTION_H

/*
 * One compaction under way: the session, what of it must stay, and what is left of it in tokens.
 * What the transforms do is in the session's list of changes, and the books are kept by reading
 * that list: used is always the sum of what is left.
 *
 * Counting tokens is most of the work, and most of it is not needed: of a session far over its
 * target, truncate drops all but a tail, whatever dedupe and prune make of the rest. What it will
 * surely drop is doomed from the start. A doomed entry is neither counted nor changed until it is
 * dropped, and as long as one is there the session is over its target.
 *
 * Memory: a byte an entry, and the changes.
 */

#include "policy/keep.h"

struct transform;

struct compaction_options {
	const struct transform *const *pipeline; /* ended by NULL */
	bool force;       /* run every transform, also when the target is met */
	uint64_t target;  /* tokens */
	uint64_t room;    /* tokens that the budget allows */
	bool best_effort; /* the user's newest message may be cut, last of all */
	struct keep_window window;
	uint64_t prune_over;   /* bytes of a text */
	uint64_t error_tokens; /* what error text of an unresolved group keeps */
};

struct compaction {
	struct session *session;
	struct estimator *estimator;
	const struct compaction_options *options;
	uint8_t *keep;     /* enum keep, by entry */
	uint64_t used;     /* tokens of what is left and not doomed, by the changes booked */
	uint32_t booked;   /* changes */
	uint32_t doomed;   /* entries that are still there */
	uint32_t artifact; /* entry of the artifact of an earlier compaction, or NONE */
	struct keep_request request;
	uint32_t newest; /* the newest message of the thread or the call of its group, or NONE */
	uint32_t cut;    /* the message of the user that was cut in spite of all, or NONE */
	bool is_unsure;  /* bounds were not enough: all has to be counted */
};

/* session must be finished; artifact is the entry that holds the facts of earlier compactions, or
 * NONE. options must outlive the compaction. */
void compaction_init(struct compaction *compaction, struct session *session,
    struct estimator *estimator, const struct compaction_options *options, uint32_t artifact);

void compaction_free(struct compaction *compaction);

/* Counts all that is not doomed, as it is now. */
void compaction_weigh(struct compaction *compaction);

/* Says that an entry will surely be dropped. */
void compaction_doom(struct compaction *compaction, uint32_t entry);

/* Begins again without a change and without a doomed entry. */
void compaction_reset(struct compaction *compaction);

/* Tokens of what is left and not doomed. */
uint64_t compaction_used(struct compaction *compaction);

/* The fewest tokens and bytes that the transforms can make of the entry short of dropping it. What
 * no transform shortens is counted for it where the caller asks for exact. */
uint64_t compaction_least_tokens(struct compaction *compaction, uint32_t entry, bool exact);
uint64_t compaction_least_bytes(const struct compaction *compaction, uint32_t entry);

/* Whether what is left is at or under the target. */
bool compaction_fits(struct compaction *compaction);

/* Whether a transform has no more to do: it fits, and nobody forces. */
bool compaction_is_done(struct compaction *compaction);

/* Whether the entry (a group's: its call) is in the current execution, or, with current false, in
 * another one. */
bool compaction_is_in(const struct compaction *compaction, uint32_t entry, bool current);

/* Whether the entry is still there, was never compacted, and may be changed. */
bool compaction_may_change(const struct compaction *compaction, uint32_t entry);

/* Takes back all changes since the mark; settles them, as weigh_settle does. */
void compaction_undo(struct compaction *compaction, uint32_t mark);
bool compaction_settle(struct compaction *compaction, uint32_t mark);

#endif
