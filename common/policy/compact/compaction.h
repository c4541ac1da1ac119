#ifndef POLICY_COMPACT_COMPACTION_H
#define POLICY_COMPACT_COMPACTION_H

/*
 * The state of one running compaction: the session, the entries that must stay, and the tokens of
 * the entries that are left. The transforms append to the session's list of changes, and
 * compaction_used reads the new changes of that list: its result is always the sum of the entries
 * that are left.
 *
 * Counting tokens is most of the work, and most counts are not needed. If a session is far over its
 * target, truncate drops all but the newest part, however much dedupe and prune shorten the rest.
 * Entries that truncate will certainly drop are marked as doomed at the start. A doomed entry is
 * neither counted nor changed before it is dropped. Until all doomed entries are dropped, the
 * session is over its target.
 *
 * Memory: a byte an entry, and the changes.
 */

#include "policy/attempts.h"
#include "policy/keep.h"

struct phrases;
struct transform;

struct compaction_options {
	const struct transform *const *pipeline; /* ended by NULL */
	bool force;                         /* run every transform, also when the target is met */
	uint64_t target;                    /* tokens */
	uint64_t room;                      /* tokens that the budget allows */
	bool best_effort;                   /* the user's requests may be cut before a refusal */
	const struct budget_limits *limits; /* of triggers; NULL: none */
	const struct budget *budget;        /* of the session; its member used is not read */
	struct fault *fault;                /* set when a command of the user fails */
	const struct selector *when;
	struct keep_window window;
	struct keep_choice choice;
	unsigned dedupe; /* the rules of dedupe that are used, as bits; 0: all */
	bool drops_all;  /* everything that may be dropped is, whatever the target */
	bool
	    leaves_room; /* a command writes the artifact's text, which gets half as much room more */
	struct phrases *rules;   /* the user's wordings of constraints; NULL: none */
	const char *title;       /* the first line of the artifact; NULL: none */
	enum role artifact_role; /* that of the artifact */
	uint64_t prune_over;     /* bytes of a text, or tokens */
	bool prune_in_tokens;
	uint64_t summary_tokens; /* the largest digest, and the largest symbols when given */
	bool summary_is_given;   /* by the user */
	uint64_t error_tokens;   /* tokens that stay of error text in an unresolved group */
};

struct compaction {
	struct session *session;
	struct estimator *estimator;
	const struct compaction_options *options;
	struct goals goals;
	struct keep_window window; /* the window of the options, or a narrower one */
	uint8_t *keep;             /* enum keep, by entry */
	uint64_t used;             /* tokens of entries left and not doomed, after booked changes */
	uint32_t booked;           /* changes */
	uint32_t doomed;           /* entries that are still there */
	uint32_t artifact;         /* entry of the artifact of an earlier compaction, or NONE */
	struct framing framing;
	struct attempts attempts;
	struct keep_request request;
	uint32_t answered;   /* the turn of the model's newest message; 0: there is none */
	uint32_t newest;     /* the newest message, or the call of its group, or NONE */
	uint32_t cached_end; /* the entry after the provider's cache, whole groups */
	bool is_cold;        /* entries in the provider's cache may be changed */
	bool cuts_critical;  /* long texts of critical messages may be cut */
	bool cuts_requests;  /* the user's requests may be cut */
	bool is_folded;      /* open failures may be dropped: the artifact lists them */
	bool is_unsure;      /* bounds did not decide: all entries must be counted */
};

/* session must be finished; session, estimator and options must outlive the compaction. artifact is
 * the entry that holds the facts of earlier compactions, or NONE. */
void compaction_init(struct compaction *compaction, struct session *session,
    struct estimator *estimator, const struct compaction_options *options, uint32_t artifact);

void compaction_free(struct compaction *compaction);

/* Sets the used tokens to the sum of the entries, as they are now, that are kept for the reason
 * weakest or a stronger one. With KEEP_NOT, these are all entries that are not doomed. */
void compaction_weigh(struct compaction *compaction, enum keep weakest);

/* Notes that an entry will surely be dropped. */
void compaction_doom(struct compaction *compaction, uint32_t entry);

/* Begins again without a change and without a doomed entry. */
void compaction_reset(struct compaction *compaction);

/* Begins again with one protection less. The first calls allow changes in the provider's cache; the
 * next ones narrow a default recency window, in the end to the newest message alone; then long
 * texts of critical messages may be cut; with may_fold, open failures may be dropped; with may_cut,
 * the user's requests may be cut, and the protections before that, but for the cache, are as at
 * first. Returns false when no protection is left to remove. */
bool compaction_give_way(struct compaction *compaction, bool may_fold, bool may_cut);

/* Whether the entry is a request of the user or framing, and may be cut. */
static inline bool
compaction_is_cuttable(const struct compaction *compaction, uint32_t entry)
{
	return compaction->cuts_requests &&
	    (compaction->keep[entry] == KEEP_REQUEST || compaction->keep[entry] == KEEP_FRAMING);
}

/* Tokens of the entries that are left and not doomed. */
uint64_t compaction_used(struct compaction *compaction);

/* The fewest tokens and bytes that the transforms can leave of the entry without dropping it. With
 * exact, an entry that no transform shortens is counted. */
uint64_t compaction_least_tokens(struct compaction *compaction, uint32_t entry, bool exact);
uint64_t compaction_least_bytes(const struct compaction *compaction, uint32_t entry);

/* Whether the session is at or under the target, and no doomed entry is left. */
bool compaction_fits(struct compaction *compaction);

/* Whether the transforms have no more to do: the session fits, and neither force nor drops_all is
 * set. */
bool compaction_is_done(struct compaction *compaction);

/* Whether a change of the entry other than dropping it may bring a missed goal nearer. */
bool compaction_is_wanted(const struct compaction *compaction, uint32_t entry);

/* Takes back the changes of the entry since the mark, unless they brought a goal nearer. */
void compaction_settle_goals(struct compaction *compaction, uint32_t entry, uint32_t mark);

/* Whether the entry is in the current execution; with current false, whether it is in another one.
 * A result is where its call is. */
bool compaction_is_in(const struct compaction *compaction, uint32_t entry, bool current);

/* Whether the entry is the result of an open failure. Until such an entry is dropped, its only
 * change is a cut of its error text, also when the failure may be dropped. */
bool compaction_is_failure(const struct compaction *compaction, uint32_t entry);

/* Whether the entry is still there, was never compacted, and may be changed. */
bool compaction_may_change(const struct compaction *compaction, uint32_t entry);

/* Replaces the text of the record that the change made by another text, of so many tokens; see
 * change_again. */
void compaction_change_again(struct compaction *compaction, uint32_t change,
    const struct change_rule *rule, struct str text, uint64_t tokens);

/* compaction_undo takes back all changes since the mark; compaction_settle settles them, as
 * weigh_settle does. */
void compaction_undo(struct compaction *compaction, uint32_t mark);
bool compaction_settle(struct compaction *compaction, uint32_t mark);

#endif
