#ifndef BUDGET_BREAKDOWN_H
#define BUDGET_BREAKDOWN_H

/*
 * Where the tokens are: one attribute of messages is the key, and each of its values has a row with
 * the sum of its messages.
 */

#include "base/arena.h"
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

/* Whether the rows have the messages of all agents, and not those alone that the budget counts. */
bool breakdown_has_all(const struct breakdown *breakdown);

void breakdown_init(struct breakdown *breakdown, enum breakdown_key key);

/* Adds the message that the walk has just given the verdict on; line is the number of its line.
 * The notes of the walk are the breakdown's: the row or the use of each open call, for its
 * result. */
void breakdown_add(struct breakdown *breakdown, const struct message *message, struct walk *walk,
    const struct verdict *verdict, size_t line, uint64_t tokens);

/* Sorts the rows for display: the largest first when top is not 0 or the key has no order of its
 * own. When top is not 0, only the first top rows stay. */
void breakdown_sort(struct breakdown *breakdown, uint64_t top);

void breakdown_free(struct breakdown *breakdown);

#endif
