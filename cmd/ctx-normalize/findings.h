#ifndef CTX_NORMALIZE_FINDINGS_H
#define CTX_NORMALIZE_FINDINGS_H

/*
 * The stage in front of the others of a session. It passes each record, and when these have taken
 * it, says on standard error what they found in it: faults that a check names, lines that were not
 * understood, another dialect than the one that was asked for. Each sets the run's status.
 */

#include "account.h"
#include "choices.h"
#include "dialects/load/load.h"

struct findings {
	struct stage stage;
	const struct choices *choices;
	struct account *account;
	struct buf *list; /* a violation_list of what was found; emptied when it is said */
	struct dialect_reading *reading;
	struct unread *unread; /* NULL: nothing is read */
	/* Until it is judged, all that is found waits: what the agent loads is said first. NULL:
	 * no agent is asked. */
	struct load *load;
	bool is_other_said;
	uint64_t faults; /* in the eyes of an API or an agent, in this session */
};

void findings_init(
    struct findings *findings, const struct choices *choices, struct account *account);

/* Says what was found since the last record. Call it when the session has ended, too. */
void findings_say(struct findings *findings);

/* Says what the agent loads of the files, and all that was found. Call it once, when the session
 * has ended. */
void findings_judge_load(struct findings *findings);

/* Says how many faults in the eyes of an API or an agent were not named. Call it when the session
 * has ended. */
void findings_say_more(const struct findings *findings);

/* Says that there was no record of the dialect that was asked for, if that is a log's and what came
 * looks like another, or with --check; and what to type instead. */
void findings_say_none(const struct findings *findings);

#endif
