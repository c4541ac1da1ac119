#ifndef CUTS_H
#define CUTS_H

#include "report.h"

/* The safe cuts of a session: each stands before a message of the thread, parts no call from its
 * result and leaves no call behind that waits for one. */
struct cuts {
	struct cut *list;
	size_t count;
	size_t cap;
};

/* Finds them all; entries have their tokens. What a cut points to is the session's. */
void cuts_find(struct cuts *cuts, const struct session *session);

void cuts_free(struct cuts *cuts);

#endif
