#ifndef SESSION_FAILURES_H
#define SESSION_FAILURES_H

/*
 * Failures, listed by what may resolve them later: the same call, told by its key or, where
 * arguments were shortened, by its digest; a tool of the same kind on the same target; whatever
 * makes the file or directory that a shell command was there for; the id of the call, or the id of
 * the message that failed. Each key leads to a list, the newest failure
 * first:
 *
 *     map   key -> failure -> older -> older
 */

#include "base/hash/hash.h"

#define FAILURE_NONE UINT32_MAX

enum failure_way {
	FAILURE_BY_CALL,
	FAILURE_BY_DIGEST,
	FAILURE_BY_TARGET,
	FAILURE_BY_END,
	FAILURE_BY_ID,
	FAILURE_BY_MESSAGE,
	FAILURE_WAYS
};

struct failure {
	uint32_t call; /* FAILURE_NONE: the call is no failure any more */
	uint32_t older[FAILURE_WAYS];
};

struct failures {
	struct map newest[FAILURE_WAYS];
	struct failure *item;
	uint32_t count;
	uint32_t cap;
	bool is_noted; /* the message of a listed call notes digests */
};

/* Adds the failure of a call. Returns the index of the failure. */
uint32_t failures_add(struct failures *failures, uint32_t call);

/* Puts the failure at the front of the list of a key. */
void failures_list(
    struct failures *failures, uint32_t index, enum failure_way way, struct hash key);

/* Takes the list of a key out. Returns its newest failure, or FAILURE_NONE when there is no
 * list. */
uint32_t failures_take(struct failures *failures, enum failure_way way, struct hash key);

void failures_free(struct failures *failures);

#endif
