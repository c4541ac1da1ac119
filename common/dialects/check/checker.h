#ifndef DIALECTS_CHECKER_H
#define DIALECTS_CHECKER_H

/*
 * A stage that names all that an API refuses, in messages that are in its own spelling. It emits
 * nothing. Messages a line are one conversation; an array of messages, and a request body, is one
 * of its own:
 *
 *     each message by itself      dialect->judge
 *     their order                 talk.h
 *     a request                   request_body.h
 */

#include "data/stage.h"
#include "dialects/check/request_body.h"
#include "dialects/check/talk.h"

struct checker {
	struct stage stage;
	struct inspection inspection;
	struct talk lines; /* the conversation of messages a line */
	struct request_body body;
};

/* With SYSTEMS_KEEP, system messages may stand in the midst. */
void checker_init(struct checker *checker, const struct dialect *dialect, enum systems_place place);
void checker_free(struct checker *checker);

#endif
