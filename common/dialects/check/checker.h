#ifndef DIALECTS_CHECKER_H
#define DIALECTS_CHECKER_H

/*
 * A stage that finds all that an API refuses in messages in the API's own spelling. It emits
 * nothing. Messages with one line each are one conversation together. An array of messages and a
 * request body are each a conversation:
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
	struct talk lines; /* the conversation of messages with one line each */
	struct request_body body;
};

/* With SYSTEMS_KEEP, system messages may come after other messages. */
void checker_init(struct checker *checker, const struct dialect *dialect, enum systems_place place);
void checker_free(struct checker *checker);

#endif
