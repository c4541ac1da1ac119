#ifndef SESSION_FAILURES_H
#define SESSION_FAILURES_H

/*
 * Failed calls, found by keys of the calls or messages that may resolve them later:
 *
 *     FAILURE_BY_CALL      the key of the call: the same call succeeds
 *     FAILURE_BY_DIGEST    the digest of the call: the same, where arguments were shortened
 *     FAILURE_BY_TARGET    a tool of the same kind succeeds on the same target
 *     FAILURE_BY_END       another call makes the file that a shell command should have made
 *     FAILURE_BY_ID        a message names the id of the call
 *     FAILURE_BY_MESSAGE   a message names the id of the failed result or call message
 *
 * Each key leads to a list, the newest failure first:
 *
 *     map   key -> failure -> older -> older
 */

#include "base/hash/map.h"

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
	uint32_t call; /* FAILURE_NONE: the call no longer is a failure */
	uint32_t older[FAILURE_WAYS];
};

struct failures {
	struct map newest[FAILURE_WAYS];
	struct failure *item;
	uint32_t count;
	uint32_t cap;
	bool is_noted; /* a listed call has a digest in metadata.call_keys */
};

/* Adds the failure of a call. Returns the index of the failure. */
uint32_t failures_add(struct failures *failures, uint32_t call);

/* Puts the failure at the front of the list of a key. */
void failures_list(
    struct failures *failures, uint32_t index, enum failure_way way, struct hash key);

/* Removes the list of a key. Returns its newest failure, or FAILURE_NONE when there is no list. */
uint32_t failures_take(struct failures *failures, enum failure_way way, struct hash key);

void failures_free(struct failures *failures);

#endif
