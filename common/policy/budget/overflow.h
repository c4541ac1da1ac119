#ifndef BUDGET_OVERFLOW_H
#define BUDGET_OVERFLOW_H

/*
 * What section "messages" has too much goes to section "buffer": its oldest whole groups and
 * messages, in their places, until the rest fits.
 *
 *     before   u1 a1 | u2 c2 r2 a2 | u3 a3      messages
 *     after    u1                    u3 a3      messages: the framing, and the newest that fit
 *                 a1   u2 c2 r2 a2              buffer
 *
 * These stay: system and developer messages, the framing of the task, the newest message or its
 * group, groups that are open, pinned, or that a bad line may belong to, messages of an unknown
 * role, and messages of other agents, which do not count. A turn is in the section as long as one
 * message of the turn is; messages before the first turn are of none.
 *
 * Memory: a byte for each entry, and four for each turn.
 */

#include "base/number.h"
#include "policy/budget/weigh.h"

struct overflow {
	uint64_t moved; /* messages */
	uint64_t least; /* where the rest does not fit: what stays, in the unit of the size */
};

/* Changes the session, which has ended, so that its section "messages" has at most the size: tokens
 * (SIZE_PLAIN), messages or turns. Returns false with nothing changed when the rest does not
 * fit. */
bool overflow_run(struct session *session, struct size size, struct estimator *estimator,
    struct overflow *overflow);

#endif
