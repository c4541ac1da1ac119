#ifndef BUDGET_BREAKDOWN_H
#define BUDGET_BREAKDOWN_H

/*
 * Where the tokens are: one attribute of messages is the key, and each of its values has a row with
 * the sum of its messages.
 */

#include "base/arena.h"
#include "base/hash/map.h"
#include "data/walk.h"

enum breakdown_key {
	BREAKDOWN_NONE,
	BREAKDOWN_ROLE,
	BREAKDOWN_TOOL,
	BREAKDOWN_KIND,
	BREAKDOWN_SECTION,
	BREAKDOWN_TURN,
	BREAKDOWN_EXECUTION,
	BREAKDOWN_SESSION,
	BREAKDOWN_AGENT,
	BREAKDOWN_DAY,
	BREAKDOWN_MODEL,
	BREAKDOWN_MESSAGE,
};

extern const char *const breakdown_keys[]; /* the choices of --by, after BREAKDOWN_NONE */

struct breakdown_row {
	struct str label; /* in the arena */
	uint64_t messages;
	uint64_t tokens;
	size_t number; /* in order of appearance */
};

struct breakdown {
	enum breakdown_key key;
	uint64_t tokens; /* of all rows */
	struct breakdown_row *row;
	size_t count;
	size_t cap;
	struct map by_label;
	struct buf session; /* the session of the message before */
	struct str *use;    /* by message: the tool and target of each call */
	size_t use_count;
	size_t use_cap;
	struct buf label;
	struct buf scratch;
	struct arena arguments; /* of the call that is read */
	struct arena arena;
};

/* Whether the rows include messages of all agents, not only the messages that the budget counts. */
bool breakdown_has_all(const struct breakdown *breakdown);

void breakdown_init(struct breakdown *breakdown, enum breakdown_key key);

/* Adds the message for which the walk has just given the verdict; line is the number of its line.
 * The breakdown keeps its own notes in the walk: the row or the use of each open call, for the
 * result of that call. */
void breakdown_add(struct breakdown *breakdown, const struct message *message, struct walk *walk,
    const struct verdict *verdict, size_t line, uint64_t tokens);

/* Sorts the rows for display: the largest first when top is not 0 or the key has no order of its
 * own. When top is not 0, only the first top rows stay. */
void breakdown_sort(struct breakdown *breakdown, uint64_t top);

void breakdown_free(struct breakdown *breakdown);

#endif
