#ifndef CTX_NORMALIZE_NORMALIZING_H
#define CTX_NORMALIZE_NORMALIZING_H

/*
 * The stages of one session, between input and output:
 *
 *     findings -> untrusted -> reader -> unread -> parting -> prompt -> order -> repair -> systems
 *         -> writer -> request
 *
 * Only the reader, unread, the repair and the writer are in every chain. Those behind parting begin
 * anew with each line that is a session of its own. With --check and the
 * dialect of an API there is one stage, which checks messages as they are:
 *
 *     findings -> checker
 */

#include "account.h"
#include "choices.h"
#include "face/sessions.h"

/* What all sessions share; the owner of normalizing_kind. */
struct normalizing_all {
	struct choices choices;
	struct account account;
	bool is_refused; /* it is said that a file is of another format */
};

/* How one session is treated, and how one is checked as an API does. */
struct session_kind normalizing_kind(const struct choices *choices);

#endif
