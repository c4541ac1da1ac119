#ifndef CTX_NORMALIZE_CONVERSION_H
#define CTX_NORMALIZE_CONVERSION_H

/*
 * The stages of one session, between input and output:
 *
 *     findings -> reader -> untrusted -> unread -> stages that write (session_writer.h)
 *
 * A record without the key of --session-key may have the key after it is read: then each key has a
 * chain of stages that write after unread. Only the reader and unread are always there. With
 * --check and the dialect of an API there is only one more stage, which checks messages as they
 * are:
 *
 *     findings -> checker
 */

#include "account.h"
#include "choices.h"
#include "dialects/census/census.h"
#include "policy/normalize/torn.h"

/* One run of ctx-normalize. */
struct ctx_normalize {
	struct choices choices;
	struct account account;
	struct torn torn;
	struct sums sums;
	struct sarif sarif;
	struct census census;
	bool is_refused; /* it was reported that a file is of another format */
};

/* The stages of one session: session of struct command. */
size_t conversion_size(const void *self);
void conversion_stages(void *self, void *session, struct stage **stages);
void conversion_ended(void *self, void *session);
void conversion_finish(void *self, void *session);
void conversion_free(void *self, void *session);
enum sessions_keys conversion_keys(const void *self);
enum command_forgotten conversion_forgotten(const void *self);

#endif
