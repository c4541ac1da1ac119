#ifndef POLICY_SELECTION_H
#define POLICY_SELECTION_H

/*
 * The messages that a user chose by selectors. A message is chosen when a selector of select
 * matches it, or select is empty, and no selector of reject matches it. A call message and its
 * results are a group, and are chosen together: a selector matches a group when it matches one of
 * its messages. With is_exact, each message is chosen by itself.
 *
 * A selection is asked while the stream is read, and may not know the answer yet: a result of the
 * group that is still missing may match, and a term may depend on later records
 * (data/select/term.h).
 */

#include "data/select/selectors.h"

struct estimator;

/* The entry of the last answer, and all that this answer depended on. While these are the same, the
 * answer is the same. */
struct selection_state {
	const char *raw; /* of the entry */
	uint64_t number; /* of the entry in the stream: raw may be that of an earlier one */
	uint32_t turns, executions, answered;
	bool is_judged, is_candidate, has_ended;
};

/* How far a group has been asked that is not complete, so that each of its messages is asked a few
 * times only. Numbers are those of entries in the stream. */
struct selection_progress {
	uint64_t next; /* the messages before it are not matched, whatever comes */
	uint64_t seen; /* the messages before it have been asked once */
};

struct selection {
	struct selectors select;
	struct selectors reject;
	bool is_exact;
	bool is_inverted;             /* the messages that would not be chosen are chosen */
	struct estimator *estimator;  /* open; may be NULL when no term depends on tokens */
	struct selection_state state; /* set by selection_decide */
	enum term_answer answer;      /* the last answer of selection_decide */
	struct selection_progress selected, rejected; /* of the group of that entry */
};

/* Whether the selectors match a message of the entry's group, or the entry when it has no group.
 * TERM_UNKNOWN when records to come decide. estimator may be NULL when no term depends on
 * tokens. */
enum term_answer selection_ask_group(const struct selectors *selectors, struct session *session,
    uint32_t entry, struct estimator *estimator);

/* Whether the answer depends on more than the message: on its group, or on a term that needs the
 * session. */
bool selection_needs_session(const struct selection *selection);

/* Whether a term depends on tokens. */
static inline bool
selection_needs_tokens(const struct selection *selection)
{
	return selection->select.needs_tokens || selection->reject.needs_tokens;
}

/* Whether the entry is chosen. A stage that holds records calls this for the oldest entry that it
 * holds, and again after each new record while the answer is TERM_UNKNOWN. A result gets the answer
 * of its call message, which is read from is_dropped of that entry; with is_exact, its own. */
enum term_answer selection_decide(
    struct selection *selection, struct session *session, uint32_t entry);

/* Whether a message is chosen. For selections without selection_needs_session only. */
bool selection_has(const struct selection *selection, const struct message *message);

void selection_free(struct selection *selection);

#endif
