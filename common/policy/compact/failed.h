#ifndef POLICY_COMPACT_FAILED_H
#define POLICY_COMPACT_FAILED_H

/*
 * Failures that are dropped while they are open, since nothing else is left that could make room.
 * The list has a JSON string for each:
 *
 *     "bash make test: make: *** [test] Error 2"
 *
 * A later success of the same call takes the failure out. The label of a call is quoted where it
 * has a colon itself.
 */

#include "policy/attempts.h"
#include "policy/compact/things.h"

/* Adds the call if it is an open failure, and takes out what it made good if it succeeded. */
void failed_add(struct things *list, const struct session *session, const struct attempts *attempts,
    uint32_t call);

#endif
