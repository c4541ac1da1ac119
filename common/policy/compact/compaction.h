#ifndef POLICY_COMPACT_COMPACTION_H
#define POLICY_COMPACT_COMPACTION_H

/*
 * One compaction under way: the session, the entries that must stay, and the tokens of those that
 * are left. The transforms add to the session's list of changes. The books are kept by reading that
 * list: compaction_used is always the sum of what is left.
 *
 * Counting tokens is most of the work, and most of the counts are not needed: of a session far over
 * its target, truncate drops all but a tail, whatever dedupe and prune make of the rest. The
 * entries that truncate will surely drop are doomed from the start. A doomed entry is neither
 * counted nor changed before it is dropped. As long as a doomed entry is left, the session is over
 * its target.
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
	bool best_effort;                   /* what the user asked may be cut before a refusal */
	const struct budget_limits *limits; /* of triggers; NULL: none */
	const struct budget *budget;        /* of the session; its used tokens are not read */
	struct fault *fault;                /* set when a command of the user fails */
	const struct selector *when;
	struct keep_window window;
	struct keep_choice choice;
	unsigned dedupe;       /* the rules of dedupe that are used, as bits; 0: all */
	bool drops_all;        /* all that may go goes, whatever the target */
	bool leaves_room;      /* the artifact gets a text of a command: it has half as much more */
	struct phrases *rules; /* wordings of the user for constraints; NULL: none */
	const char *title;     /* the first line of the artifact; NULL: none */
	enum role artifact_role; /* that of the artifact */
	uint64_t prune_over;     /* bytes of a text, or tokens */
	bool prune_in_tokens;
	uint64_t summary_tokens; /* the most of a digest, and of symbols when given */
	bool summary_is_given;   /* by the user */
	uint64_t error_tokens;   /* what error text of an unresolved group keeps */
};

struct compaction {
	struct session *session;
	struct estimator *estimator;
	const struct compaction_options *options;
	struct goals goals;
	struct keep_window window; /* that of the options, or a narrower one */
	uint8_t *keep;             /* enum keep, by entry */
	uint64_t used;     /* tokens of what is left and not doomed, by the changes booked */
	uint32_t booked;   /* changes */
	uint32_t doomed;   /* entries that are still there */
	uint32_t artifact; /* entry of the artifact of an earlier compaction, or NONE */
	struct framing framing;
	struct attempts attempts;
	struct keep_request request;
	uint32_t answered;   /* the turn of the model's newest message; 0: there is none */
	uint32_t newest;     /* the newest message, or the call of its group, or NONE */
	uint32_t cached_end; /* the entry behind what is in the provider's cache, whole groups */
	bool is_cold;        /* what is in the provider's cache may be touched */
	bool cuts_critical;  /* long texts of critical messages may be cut */
	bool cuts_requests;  /* what the user asked may be cut */
	bool is_folded;      /* open failures may be dropped: the artifact tells of them */
	bool is_unsure;      /* bounds did not decide: all entries must be counted */
};

/* session must be finished; artifact is the entry that holds the facts of earlier compactions, or
 * NONE. options must outlive the compaction. */
void compaction_init(struct compaction *compaction, struct session *session,
    struct estimator *estimator, const struct compaction_options *options, uint32_t artifact);

void compaction_free(struct compaction *compaction);

/* Counts the entries that are kept for that reason or a stronger one, as they are now, and from
 * then on no others. With KEEP_NOT, these are all that are not doomed. */
void compaction_weigh(struct compaction *compaction, enum keep weakest);

/* Notes that an entry will surely be dropped. */
void compaction_doom(struct compaction *compaction, uint32_t entry);

/* Begins again without a change and without a doomed entry. */
void compaction_reset(struct compaction *compaction);

/* Begins again, and lets more give way, one thing each time: what is in the provider's cache may be
 * touched; a default recency window gets narrower, down to the newest message alone; long texts of
 * critical messages may be cut; with may_fold, open failures may be dropped; with may_cut, what the
 * user asked may be cut, and all else but the cache is as at first. Returns false when nothing is
 * left that can give way. */
bool compaction_give_way(struct compaction *compaction, bool may_fold, bool may_cut);

/* Whether the entry is what the user asked, and may be cut. */
static inline bool
compaction_is_cuttable(const struct compaction *compaction, uint32_t entry)
{
	return compaction->cuts_requests &&
	    (compaction->keep[entry] == KEEP_REQUEST || compaction->keep[entry] == KEEP_FRAMING);
}

/* Tokens of what is left and not doomed. */
uint64_t compaction_used(struct compaction *compaction);

/* The fewest tokens and bytes that the transforms can leave of the entry, short of dropping it.
 * With exact, an entry that no transform shortens is counted. */
uint64_t compaction_least_tokens(struct compaction *compaction, uint32_t entry, bool exact);
uint64_t compaction_least_bytes(const struct compaction *compaction, uint32_t entry);

/* Whether what is left is at or under the target. */
bool compaction_fits(struct compaction *compaction);

/* Whether a transform has no more to do: the session fits, and force is not set. */
bool compaction_is_done(struct compaction *compaction);

/* Whether a change of the entry, short of dropping it, brings a goal nearer that is missed. */
bool compaction_is_wanted(const struct compaction *compaction, uint32_t entry);

/* Takes back the changes of the entry since the mark, unless they brought a goal nearer. */
void compaction_settle_goals(struct compaction *compaction, uint32_t entry, uint32_t mark);

/* Whether the entry is in the current execution; with current false, whether it is in another one.
 * A result is where its call is. */
bool compaction_is_in(const struct compaction *compaction, uint32_t entry, bool current);

/* Whether the entry is the result of an open failure. As long as it is there, no more is done to it
 * than that the text of its error is cut, also where it may be dropped. */
bool compaction_is_failure(const struct compaction *compaction, uint32_t entry);

/* Whether the entry is still there, was never compacted, and may be changed. */
bool compaction_may_change(const struct compaction *compaction, uint32_t entry);

/* Gives the record that the change made another text of so many tokens; see change_again. */
void compaction_change_again(struct compaction *compaction, uint32_t change,
    const struct change_rule *rule, struct str text, uint64_t tokens);

/* compaction_undo takes back all changes since the mark; compaction_settle settles them, as
 * weigh_settle does. */
void compaction_undo(struct compaction *compaction, uint32_t mark);
bool compaction_settle(struct compaction *compaction, uint32_t mark);

#endif
