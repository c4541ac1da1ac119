#ifndef CTX_NORMALIZE_FINDINGS_H
#define CTX_NORMALIZE_FINDINGS_H

/*
 * The first stage of a session. It passes each record, and then reports on standard error the
 * findings of the later stages about it: faults found by a check, lines that were not understood,
 * another dialect than the requested one. Each finding sets the run's status.
 */

#include "account.h"
#include "choices.h"
#include "dialects/load/load.h"

struct findings {
	struct stage stage;
	const struct choices *choices;
	struct account *account;
	struct buf *list; /* a violation_list of the findings; emptied when they are reported */
	struct dialect_reading *reading;
	struct unread *unread; /* NULL: nothing is read */
	/* All findings wait until load is judged, since the messages that the agent loads are
	 * reported first. NULL: there is no agent. */
	struct load *load;
	bool is_other_said;
	uint64_t faults; /* by the rules of an API or an agent, in this session */
};

void findings_init(
    struct findings *findings, const struct choices *choices, struct account *account);

/* Reports the findings since the last record. Call it also when the session has ended. */
void findings_say(struct findings *findings);

/* Reports the messages that the agent loads from the files, and all findings. Call it once, when
 * the session has ended. */
void findings_judge_load(struct findings *findings);

/* Says how many faults by the rules of an API or an agent were not reported. Call it when the
 * session has ended. */
void findings_say_more(const struct findings *findings);

/* Says that there was no record of the requested dialect, if it is the dialect of logs and the
 * input looks like another one, or with --check; and suggests a command. */
void findings_say_none(const struct findings *findings);

#endif
