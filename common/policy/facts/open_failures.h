#ifndef FACTS_OPEN_FAILURES_H
#define FACTS_OPEN_FAILURES_H

/*
 * Open failures that were dropped because nothing else was left that could make room. The list has
 * a JSON string for each:
 *
 *     "bash make test: make: *** [test] Error 2"
 *
 * A later success of the same call, or of a tool of the same kind on the same target, takes the
 * failure out, and so does a later failure of the same call. The label of a call is quoted where it
 * has a colon itself; where other calls may have the label, too, a key follows (retries.h):
 *
 *     "edit a.c #0123456789ab: no match"
 */

#include "policy/facts/facts.h"

/* Adds the call if it is an open failure, and takes out earlier attempts; if the call succeeded,
 * takes out the failures that it resolved. The call must be learned. */
void open_failures_add(struct facts *facts, const struct session *session, uint32_t call);

#endif
