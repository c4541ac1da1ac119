#ifndef POLICY_ISOLATE_ISOLATION_H
#define POLICY_ISOLATE_ISOLATION_H

/*
 * What the policies of isolation share: the options, the window of records, and the questions that
 * both ask of an entry. A question that a later record may still answer otherwise has the answer
 * TERM_UNKNOWN: the entry then waits.
 *
 *     boundary   groups become artifacts        mask   results become placeholders
 */

#include "data/window.h"
#include "policy/isolate/resolutions.h"
#include "policy/selection.h"
#include "tokens/fit.h"

/* The calls whose arguments mask masks. */
enum isolation_arguments {
	ISOLATION_ARGUMENTS_KEEP,
	ISOLATION_ARGUMENTS_ALL,
	ISOLATION_ARGUMENTS_FAILED,
	ISOLATION_ARGUMENTS_REDONE,
};

struct isolation_options {
	uint64_t error_tokens;  /* error text of an unresolved group is cut to this */
	uint64_t min_tokens;    /* mask: results of at most that many tokens stay */
	uint64_t keep_results;  /* mask: that many of the newest results stay */
	uint64_t keep_tokens;   /* mask: results in the newest messages of that many tokens stay */
	struct str placeholder; /* mask: a template (policy/text/placeholder.h) */
	enum isolation_arguments arguments; /* mask */
	bool drops_thinking;
	uint64_t thinking_turns;  /* thinking of so many newest turns stays */
	bool drops_interim;       /* texts of the assistant between its calls are dropped */
	uint64_t min_gain;        /* all changes are undone if they save fewer tokens; 0: never */
	bool by_execution;        /* boundary: one artifact for all groups of an execution */
	enum role artifact_role;  /* boundary: the role of an artifact */
	struct selection *chosen; /* only this trace may be touched; NULL: all */
};

/*
 * The newest messages, which stay. A message at the front of the window may be changed once enough
 * later messages have come, which is often known before the end of the stream:
 *
 *     left             looked                      count
 *      | results, tokens |   not looked at yet       |
 *
 * The counts go from the front, its entry included, to looked. They move with the front. No entry
 * is looked at twice, so that all of this takes linear time.
 */
struct isolation_tail {
	uint32_t looked; /* entries from the front on that were looked at */
	uint64_t results;
	uint64_t tokens; /* 0 until tokens are asked for */
};

struct isolation;

/* A policy is a file that defines one, and a row of isolate.h. */
struct isolation_policy {
	/* Decides about the entry at the front of the window; see data/window.h. */
	bool (*decide)(struct isolation *isolation, uint32_t entry);
};

struct isolation {
	struct window window; /* first, so that it is a stage */
	const struct isolation_policy *policy;
	struct isolation_options options;
	struct estimator *estimator;
	enum fit_result fitted;     /* whether the estimator had enough to learn from */
	uint64_t points;            /* the number of these responses */
	struct isolation_tail tail; /* mask: the counts of the newest messages */
	uint8_t *is_redone;    /* by call, where the user wants arguments of such calls masked */
	const char *asked;     /* the record at the front, once it was looked at for thinking */
	bool has_thinking;     /* of that record */
	uint64_t refused_gain; /* the tokens that all changes would save, if too few */
	/* boundary: the groups that become one artifact; the number of the first group that is not
	 * known to be ready for one; and that of the newest execution for which one did not pay. */
	uint32_t *group;
	uint32_t group_count, group_cap;
	uint64_t ready, unpaid;
	struct resolutions resolutions; /* boundary: the ids that artifacts resolve */
};

static inline struct session *
isolation_session(struct isolation *isolation)
{
	return &isolation->window.held.session;
}

/* Whether the execution of the entry is over and not the current one. */
enum term_answer isolation_ask_old(const struct isolation *isolation, const struct entry *entry);

/* Whether the policy may touch the entry: the user chose it, and it is no message without calls by
 * which another is resolved or forgotten. Of a group, entry is its call message; it gets one
 * answer for all its members, however some of them were changed since. */
enum term_answer isolation_ask_chosen(struct isolation *isolation, uint32_t entry);

/* Cuts the text of a failure that stays. */
void isolation_cut_error(struct isolation *isolation, uint32_t entry);

/* Takes all changes back if they save less than min_gain. Call after all entries are decided, and
 * before any is emitted. */
void isolation_settle(struct isolation *isolation);

#endif
