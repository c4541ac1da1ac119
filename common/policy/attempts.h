#ifndef POLICY_ATTEMPTS_H
#define POLICY_ATTEMPTS_H

/*
 * Attempts: the calls of one key, in their order. Of failed attempts only the newest still matters;
 * an earlier one was retried:
 *
 *     make test     failed    retried, attempt 1 of 3
 *     make test     failed    retried, attempt 2 of 3
 *     make test     failed    attempt 3 of 3: unresolved
 *
 * A call is an attempt once it has a result or can get none any more. A call of another agent is no
 * attempt. Nor is a call in a message that was compacted without noting the digests of its calls:
 * shortened arguments are no key.
 *
 * Memory: twelve bytes a call.
 */

#include "data/session/session.h"

struct attempt {
	uint32_t number;   /* among the attempts of the key, from 1; 0: the call is none */
	uint32_t failures; /* attempts up to this one that failed */
	uint32_t last;     /* the call that is the last attempt of the key */
};

struct attempts {
	struct attempt *attempt; /* by call */
};

/* Finds the attempts of the session, of which all calls must be learned. */
void attempts_find(struct attempts *attempts, const struct session *session);

void attempts_free(struct attempts *attempts);

/* Whether the call failed and a later attempt followed. A result that says "resolved":false is
 * never retried. */
bool attempts_is_retried(
    const struct attempts *attempts, const struct session *session, uint32_t call);

/* Whether the call is an attempt of a key of which one has failed. */
bool attempts_has_failed(const struct attempts *attempts, uint32_t call);

/* The last attempt of the key of a call that is an attempt. */
static inline const struct attempt *
attempts_last(const struct attempts *attempts, uint32_t call)
{
	return &attempts->attempt[attempts->attempt[call].last];
}

/* Whether a call that can get no result any more has none, or an error. */
bool attempts_call_failed(const struct session *session, const struct call *call);

/* How a call ended: "ok", "error" or "no result". */
struct str attempts_outcome(const struct session *session, const struct call *call);

#endif
