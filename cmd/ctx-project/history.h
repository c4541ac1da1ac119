#ifndef CTX_PROJECT_HISTORY_H
#define CTX_PROJECT_HISTORY_H

/*
 * With --leaf, what a log still says, in front of every view: of a tree of messages one path,
 * without what later messages of the path forget. Without it, the frame takes out what is
 * forgotten.
 */

#include "data/tombstone.h"
#include "face/run.h"
#include "policy/view/leaf.h"

struct history {
	struct leaf leaf;
	struct tombstone tombstone;
};

/* Makes the history of a session. Sets its stages, in their order, and moves *stages to where the
 * next one goes. agent is the agent whose thread it is, or NULL. */
struct history *history_new(const char *leaf, const char *agent,
    const struct common_options *common, struct stage ***stages);

/* Call when the stages of a session have ended. They stopped where the leaf was not found: the run
 * then goes on to its end, with status 1. Returns whether the leaf was found. */
bool history_end(struct run *run);

/* history may be NULL. */
void history_free(struct history *history);

#endif
