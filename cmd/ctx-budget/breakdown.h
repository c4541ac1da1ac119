#ifndef BREAKDOWN_H
#define BREAKDOWN_H

/*
 * Where the tokens are: a sum for each value of one attribute of messages.
 */

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
	struct breakdown_row *row;
	size_t count;
	size_t cap;
	struct map by_label;
	struct map open;    /* the number of an open call -> its row, for its result */
	struct buf session; /* of the message before */
	struct buf scratch;
	struct arena arena;
};

void breakdown_init(struct breakdown *breakdown, enum breakdown_key key);

/* Adds a message of the thread; line is where it stands, execution_id that of its execution. */
void breakdown_add(struct breakdown *breakdown, const struct message *message,
    const struct verdict *verdict, struct str execution_id, size_t line, uint64_t tokens);

/* Puts the rows in the order they are shown in, the largest first where the key has no order of its
 * own or when top is not 0; keeps the first top of them. */
void breakdown_sort(struct breakdown *breakdown, uint64_t top);

void breakdown_free(struct breakdown *breakdown);

#endif
