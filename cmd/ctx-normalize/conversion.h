#ifndef CTX_NORMALIZE_NORMALIZING_H
#define CTX_NORMALIZE_NORMALIZING_H

/*
 * The stages of one session, between input and output:
 *
 *     findings -> untrusted -> reader -> unread -> parting -> prompt -> order -> repair -> systems
 *         -> writer -> request
 *
 * What comes in without the key of --session-key may have it when it is read: then there is, behind
 * unread, a chain of those stages for each key. Only the reader, unread, the repair and the writer
 * are in every chain. Those behind parting begin anew with each line that is a session of its own.
 * With --check and the dialect of an API there is one stage, which checks messages as they are:
 *
 *     findings -> checker
 */

#include "account.h"
#include "choices.h"
#include "face/sessions.h"
#include "policy/normalize/torn.h"

/* One run of ctx-normalize. */
struct ctx_normalize {
	struct choices choices;
	struct account account;
	struct torn torn;
	bool is_refused; /* it is said that a file is of another format */
};

/* How one session is treated: session of struct command. */
size_t conversion_size(const void *self);
void conversion_stages(void *self, void *session, struct stage **stages);
void conversion_ended(void *self, void *session);
void conversion_finish(void *self, void *session);
void conversion_free(void *self, void *session);
enum sessions_keys conversion_keys(const void *self);

#endif
