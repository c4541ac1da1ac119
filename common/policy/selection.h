#ifndef POLICY_SELECTION_H
#define POLICY_SELECTION_H

/*
 * The messages that a user chose by selectors: those that one of select selects (all, when there is
 * none), without those that one of reject selects. A call and its results are chosen together, when
 * one of them is; with is_exact each message is by itself.
 *
 * A selection answers while the stream still comes. It may have to wait: for the results of a
 * group of which nothing is chosen yet, and for what a term must know (data/select/term.h).
 */

#include "data/select/selectors.h"

struct estimator;

/* What the last answer was about, and what it depended on. */
struct selection_state {
	const char *raw; /* of the entry */
	uint32_t turns, executions, answered;
	bool is_judged, is_candidate, has_ended;
};

struct selection {
	struct selectors select;
	struct selectors reject;
	bool is_exact;
	bool is_inverted;             /* the other messages are chosen */
	struct estimator *estimator;  /* open, or no term looks at tokens */
	struct selection_state state; /* set by selection_decide */
	enum term_answer answer;
};

/* Whether one of the entry's group is selected, as far as is known by now; of an entry without a
 * group, whether it is. estimator may be NULL when no term looks at tokens. */
enum term_answer selection_ask_group(const struct selectors *selectors, struct session *session,
    uint32_t entry, struct estimator *estimator);

/* Whether terms look at more than the message itself, or at its group. */
bool selection_needs_session(const struct selection *selection);

/* Whether a term looks at tokens. */
static inline bool
selection_needs_tokens(const struct selection *selection)
{
	return selection->select.needs_tokens || selection->reject.needs_tokens;
}

/* Whether the entry of a message is chosen, with its group. It is the first that has not left a
 * stage that holds records, and is asked about again with each record that comes. A result gets the
 * answer that its call message got: whether that was dropped. */
enum term_answer selection_decide(
    struct selection *selection, struct session *session, uint32_t entry);

/* Whether a message is chosen by a selection that needs no session. */
bool selection_has(const struct selection *selection, const struct message *message);

void selection_free(struct selection *selection);

#endif
