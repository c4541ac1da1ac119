#ifndef DIALECTS_CHECKER_H
#define DIALECTS_CHECKER_H

/*
 * A stage that names all that an API refuses, in messages that are in its own spelling. It emits
 * nothing. Messages a line are one conversation; an array of messages, and a request body, is one
 * of its own:
 *
 *     each message by itself      dialect->judge
 *     their order                 talk.h
 *     a request                   checker.c
 */

#include "data/stage.h"
#include "dialects/check/talk.h"

/*
 * A request as an API sees it: its members, system prompt, messages, tools and format of the
 * answer. A zeroed struct may be used at once.
 */
struct checker_body {
	struct buf text;
	struct buf canon[2];
	struct arena arena;
};

struct checker {
	struct stage stage;
	struct inspection inspection;
	struct talk lines; /* the conversation of messages a line */
	struct checker_body body;
};

/* With SYSTEMS_KEEP, system messages may stand in the midst. */
void checker_init(struct checker *checker, const struct dialect *dialect, enum systems_place place);
void checker_free(struct checker *checker);

#endif
