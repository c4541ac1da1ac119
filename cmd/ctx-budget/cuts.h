#ifndef CTX_BUDGET_CUTS_H
#define CTX_BUDGET_CUTS_H

#include "report.h"

/* The safe cuts of a session. A cut is before a message of the agent that the walk follows. It
 * separates no call from its result, and every call before it has a result. */
struct cuts {
	struct cut *list;
	size_t count;
	size_t cap;
};

/* Finds all safe cuts. The entries must have their tokens. The strings of a cut belong to the
 * session. */
void cuts_find(struct cuts *cuts, const struct session *session);

void cuts_free(struct cuts *cuts);

#endif
