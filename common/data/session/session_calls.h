#ifndef SESSION_SESSION_CALLS_H
#define SESSION_SESSION_CALLS_H

/*
 * What a call uses, and by what it is known again. Both take reading its arguments, and few calls
 * are asked for them, so they are set by the first question.
 */

#include "data/session/session.h"

/* The key of the target of a call and the kind of its tool. */
struct hash session_target_key(const struct call *call);

/* The key of a file or directory: that of the target of a call that writes it. */
struct hash session_file_key(struct str path);

/* Sets the use of a call and returns the call. It takes reading all arguments and is not always
 * needed, so session_add does not set it. */
const struct call *session_use(struct session *session, uint32_t call);

/* Sets use and key of a call and returns the call. The key takes much longer than the use. */
const struct call *session_learn(struct session *session, uint32_t call);

/* The same for all calls of a session that has ended. Where a message notes digests, the keys are
 * made of digests, so that a call of which the arguments were shortened has the key that it had. */
void session_learn_all(struct session *session);

/* Appends the digest of a call (data/session/call_digest.h): that which its message notes, or else
 * that of its arguments, which takes longer than the key. */
void session_add_digest(const struct session *session, uint32_t call, struct buf *buf);

/* The key of that digest. */
struct hash session_digest_key(const struct session *session, uint32_t call);

#endif
