#ifndef BUDGET_GOALS_H
#define BUDGET_GOALS_H

/*
 * What triggers ask of a compaction: the figures of the session must come down to the limits of the
 * triggers that fired. A figure is the number of entries that touch it:
 *
 *     max_tool_results   results that are not compacted
 *     max_messages       messages
 *     max_turns          messages of the user, which begin turns
 *     max_steps          messages of the assistant in the newest execution
 *     max_age            messages that age and are too old beside the newest timestamp; none may
 *                        be left
 *     when               messages that the selector picks
 *     max_section        messages of a section that was over its limit; none may be left
 *
 * Entries are told what they touch once; after changes, goals_note or goals_measure does so anew.
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
	uint16_t *touches; /* by entry: bit r is set when it touches trigger r */
	uint64_t figure[BUDGET_REASONS];
	int64_t newest_time;
	unsigned over;  /* the sections that were over their limits, as bits */
	unsigned fired; /* the triggers that had fired at the beginning, as bits */
};

/* Finds the goals of a finished session. limits may be NULL: there are no goals then. framing, that
 * of the session, must live as long as the goals. */
void goals_init(struct goals *goals, struct session *session, const struct budget_limits *limits,
    const struct selector *when, const struct framing *framing, struct estimator *estimator);

void goals_free(struct goals *goals);

/* Tells anew what all entries touch, dropped ones excepted. */
void goals_measure(struct goals *goals);

/* Tells anew what a changed or dropped entry touches. */
void goals_note(struct goals *goals, uint32_t entry);

/* The goals that are not reached, as bits of triggers. */
unsigned goals_missed(const struct goals *goals);

/* The same, when one message more is added. */
unsigned goals_missed_with(const struct goals *goals, uint64_t added);

/* Whether no trigger counts a message that is added where none goes, fired or not. */
bool goals_allow_message(const struct goals *goals);

/* Whether the entry touches one of the triggers. */
static inline bool
goals_touches(const struct goals *goals, uint32_t entry, unsigned triggers)
{
	return triggers != 0 && (goals->touches[entry] & triggers) != 0;
}

/* The most turns that a default recency window may have. */
uint64_t goals_window_turns(const struct goals *goals, uint64_t turns);

/* Whether a default recency window may have the entry too: it may take half of what a trigger that
 * fired allows. taken is what the window has, by trigger, and then has the entry too. */
bool goals_leave_room(const struct goals *goals, uint32_t entry, uint64_t *taken);

#endif
