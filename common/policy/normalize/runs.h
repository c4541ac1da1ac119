#ifndef POLICY_NORMALIZE_RUNS_H
#define POLICY_NORMALIZE_RUNS_H

/*
 * The runs of a stream's own agent: its executions, as far as they tell whether a call is given up.
 * Results begin none, wherever they came, so that the runs are the same once they have moved to
 * their calls.
 */

#include "data/walk.h"

struct runs {
	uint32_t count;
	struct buf id;     /* of the last one, if it was said */
	uint32_t due;      /* its calls without a result */
	bool after_result; /* its last message is a result, and will be */
	bool has_final;    /* no trace followed its last answer */
	struct buf scratch;
};

/* Takes the next message of the agent that is no result, or a result that answers no call and
 * becomes a message of the user's role. */
void runs_add(struct runs *runs, const struct message *message, const struct place *place);

void runs_free(struct runs *runs);

#endif
