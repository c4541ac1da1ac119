#ifndef DIALECTS_CHECKER_H
#define DIALECTS_CHECKER_H

/*
 * A stage that names all that an API refuses, in messages that are in its own spelling. It emits
 * nothing. Messages a line are one conversation; an array of messages, and a request body, is one
 * of its own:
 *
 *     each message by itself      dialect->judge
 *     their order                 a conversation (struct talk in checker.c)
 *     a request                   its members, tools and format of the answer
 */

#include "base/arena.h"
#include "data/stage.h"
#include "dialects/dialect.h"
#include "dialects/refusals.h"
#include "dialects/request/systems.h"

struct talk;

struct checker {
	struct stage stage;
	const struct dialect *dialect;
	enum systems_place place; /* with SYSTEMS_KEEP, system messages may stand in the midst */
	struct talk *lines;       /* the conversation of messages a line */
	uint64_t count[VIOLATION_COUNT];
	struct buf findings; /* a violation_list; whoever reads it empties it */
	struct line line;    /* that is judged */
	struct buf text;
	struct buf canon[2];
	struct arena arena;
};

void checker_init(struct checker *checker, const struct dialect *dialect, enum systems_place place);
void checker_free(struct checker *checker);

#endif
