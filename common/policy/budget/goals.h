#ifndef BUDGET_GOALS_H
#define BUDGET_GOALS_H

/*
 * The goals of a compaction: each figure whose trigger fired must come down to the limit of that
 * trigger. A figure is the number of entries that count for it:
 *
 *     max_tool_results   results that are not compacted
 *     max_messages       messages
 *     max_turns          messages of the user, which begin turns
 *     max_steps          messages of the assistant in the newest execution
 * max_age messages that age and are older, measured from the newest timestamp; none may be left
 *     when               messages that the selector picks
 *     max_section        messages of a section that was over its limit; none may be left
 *
 * goals_init notes once which figures each entry counts for. After a change, call goals_note for
 * that entry, or goals_measure for all.
 */

#include "policy/budget/budget.h"
#include "policy/framing.h"
#include "policy/budget/weigh.h"

struct goals {
	struct session *session;
	struct estimator *estimator;
	const struct budget_limits *limits;
	const struct selector *when; /* NULL: none */
	const struct framing *framing;
	uint16_t *touches; /* by entry: bit r is set when the entry counts for trigger r */
	uint64_t figure[BUDGET_REASONS];
	int64_t newest_time;
	unsigned over;  /* the sections that were over their limits, as bits */
	unsigned fired; /* the triggers that had fired at the beginning, as bits */
};

/* Finds the goals of a finished session. With limits NULL there are no goals. framing is that of
 * the session, and must live as long as the goals. */
void goals_init(struct goals *goals, struct session *session, const struct budget_limits *limits,
    const struct selector *when, const struct framing *framing, struct estimator *estimator);

void goals_free(struct goals *goals);

/* Notes again which figures each entry that is not dropped counts for. */
void goals_measure(struct goals *goals);

/* Notes again which figures a changed or dropped entry counts for. */
void goals_note(struct goals *goals, uint32_t entry);

/* The goals that are not reached, as bits of triggers. */
unsigned goals_missed(const struct goals *goals);

/* The same, as if so many messages were added. */
unsigned goals_missed_with(const struct goals *goals, uint64_t added);

/* Whether a message may be added although none is dropped: no trigger that is set, fired or not,
 * would count it. */
bool goals_allow_message(const struct goals *goals);

/* Whether the entry counts for one of the triggers, which are bits. */
static inline bool
goals_touches(const struct goals *goals, uint32_t entry, unsigned triggers)
{
	return triggers != 0 && (goals->touches[entry] & triggers) != 0;
}

/* The most turns that a default recency window may have. */
uint64_t goals_window_turns(const struct goals *goals, uint64_t turns);

/* Adds the entry to taken, the window's figures by trigger. Returns whether a default recency
 * window may include the entry: of each trigger that fired, the window may take half of the
 * limit. */
bool goals_leave_room(const struct goals *goals, uint32_t entry, uint64_t *taken);

#endif
