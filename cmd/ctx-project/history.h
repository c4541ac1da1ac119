#ifndef CTX_PROJECT_HISTORY_H
#define CTX_PROJECT_HISTORY_H

/*
 * What a log still says, in front of every view: of a tree of messages one path, without what later
 * messages forget.
 */

#include "face/run.h"
#include "policy/view/leaf.h"
#include "policy/view/tombstone.h"

enum history_forgotten { HISTORY_HIDE, HISTORY_SHOW };

struct history_options {
	const char *leaf;
	int forgotten; /* enum history_forgotten */
};

extern const char *const history_forgotten[];

/* Rows of an option table. The command's struct has a member history, a struct history_options. */
#define OPTIONS_HISTORY(type) \
	{"leaf", 0, "ID", \
	    "of a tree, by metadata.parent_id, the path to that message, or to the last", \
	    OPTION_STRING, offsetof(struct type, history.leaf)}, \
	{ \
		"forgotten", 0, "HOW", \
		    "hide (default) or show what metadata.forgets of later messages names", \
		    OPTION_CHOICE, offsetof(struct type, history.forgotten), history_forgotten \
	}

struct history {
	struct leaf *leaf; /* NULL without --leaf */
	struct tombstone tombstone;
};

/* Sets the stages that the options ask for, in their order, and returns where the next one goes.
 * agent is the agent whose thread it is, or NULL. */
struct stage **history_open(struct history *history, const struct history_options *options,
    const char *agent, const struct common_options *common, struct stage **stages);

/* Call when the stages of a session have ended. They stopped where the leaf was not found: the run
 * then goes on to its end, with status 1. Returns whether the leaf was found. */
bool history_end(struct run *run);

void history_close(struct history *history);

#endif
