#ifndef FACTS_FAILED_H
#define FACTS_FAILED_H

/*
 * Failures that are dropped while they are open, since nothing else is left that could make room.
 * The list has a JSON string for each:
 *
 *     "bash make test: make: *** [test] Error 2"
 *
 * A later success of the same call, or of a tool of the same kind on the same target, takes the
 * failure out, and so does a later failure of the same call. The label of a call is quoted where it
 * has a colon itself; where other calls may have the label, too, a key follows (tried.h):
 *
 *     "edit a.c #0123456789ab: no match"
 */

#include "data/session/session.h"
#include "policy/facts/things.h"

/* Adds the call if it is an open failure, and takes out earlier attempts; takes out what the call
 * made good if it succeeded. The call must be learned. */
void failed_add(struct things *list, const struct session *session, uint32_t call);

#endif
