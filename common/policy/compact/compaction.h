#ifndef POLICY_COMPACT_COMPACTION_H
#define POLICY_COMPACT_COMPACTION_H

/*
 * One compaction under way: the session, what it weighs, what of it must stay, and what was done
 * to each entry. The transforms (dedupe, prune, truncate) change the session only through the
 * functions below, which keep the books: used is always the sum of what is left.
 *
 * Memory: eight bytes an entry.
 */

#include "policy/keep.h"
#include "tokens/estimate.h"

enum transform { TRANSFORM_DEDUPE, TRANSFORM_PRUNE, TRANSFORM_TRUNCATE, TRANSFORM_NORMALIZE,
	TRANSFORM_COUNT };

enum { COMPACTION_PIPELINE_MAX = 16 };

struct compaction_options {
	enum transform pipeline[COMPACTION_PIPELINE_MAX];
	unsigned pipeline_count;
	bool force;            /* run every transform, also when the target is met */
	uint64_t target;       /* tokens */
	struct keep_window window;
	uint64_t prune_over;   /* bytes of a text */
	uint64_t error_tokens; /* what error text of an unresolved group keeps */
};

/* What was done to an entry last. */
enum action {
	ACTION_NONE,
	ACTION_STALE,
	ACTION_SUPERSEDED,
	ACTION_DUPLICATE,
	ACTION_SHORTEN, /* long texts, old thinking and media went */
	ACTION_ERROR,   /* error text was cut */
	ACTION_REMOVE,  /* a result became a placeholder */
	ACTION_MIDDLE,  /* the middle of the text was cut out */
	ACTION_UPDATE,  /* the artifact got new facts */
	ACTION_COUNT,
};

struct compaction {
	struct session *session;
	struct estimator *estimator;
	const struct compaction_options *options;
	uint8_t *keep;           /* enum keep, by entry */
	uint8_t *action;         /* enum action, by entry */
	uint32_t *tokens_before; /* by entry */
	uint64_t used_before;
	uint64_t used;
	uint64_t bytes_dropped; /* of entries */
	uint32_t artifact;      /* entry of the artifact of an earlier compaction, or NONE */
	struct buf added;       /* the record of a new one, or empty */
	uint32_t added_before;  /* the entry in front of which it stands */
	uint64_t added_tokens;
};

/* session must be finished and its entries weighed (used is their sum); artifact is the entry
 * that holds the facts of earlier compactions, or NONE. options must outlive the compaction. */
void compaction_init(struct compaction *compaction, struct session *session,
    struct estimator *estimator, const struct compaction_options *options, uint64_t used,
    uint32_t artifact);

void compaction_free(struct compaction *compaction);

/* Whether what is left is at or under the target. */
static inline bool
compaction_fits(const struct compaction *compaction)
{
	return compaction->used <= compaction->options->target;
}

/* Whether a transform has no more to do: it fits, and nobody forces. */
static inline bool
compaction_is_done(const struct compaction *compaction)
{
	return compaction_fits(compaction) && !compaction->options->force;
}

/* Whether the entry (a group's: its call) is in the current execution, or, with current false, in
 * another one. */
bool compaction_is_in(const struct compaction *compaction, uint32_t entry, bool current);

/* Whether the entry is still there, was never compacted, and may be changed. */
bool compaction_may_change(const struct compaction *compaction, uint32_t entry);

/* Books what one of the functions of policy/rewrite.h or policy/cut.h did to an entry that had
 * tokens; done is what it returned, and what this returns. */
bool compaction_note(struct compaction *compaction, uint32_t entry, uint32_t tokens, bool done,
    enum action action);

/* Gives the entry that text as its content; false when that saves nothing. */
bool compaction_put(struct compaction *compaction, uint32_t entry, struct str text,
    enum action action);

void compaction_drop(struct compaction *compaction, uint32_t entry);

/* Takes the drop back. */
void compaction_undrop(struct compaction *compaction, uint32_t entry);

#endif
