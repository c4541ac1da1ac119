#ifndef SESSION_SESSION_CALLS_H
#define SESSION_SESSION_CALLS_H

/*
 * The use of a call (its tool and target), and the keys by which a later call is recognized as the
 * same. Both require reading the arguments, and are needed for few calls. So they are set only when
 * a caller asks for them first.
 */

#include "data/session/session.h"

/* The key of a call's target and the kind of its tool. */
struct hash session_target_key(const struct call *call);

/* The key of a file or directory: equal to the target key of a call that writes the path. */
struct hash session_file_key(struct str path);

/* Sets the use of a call, unless it is set. Returns the call. */
const struct call *session_use(struct session *session, uint32_t call);

/* Sets the use and the key of a call, unless they are set. Returns the call. The key takes much
 * longer than the use. */
const struct call *session_learn(struct session *session, uint32_t call);

/* The same for all calls of a session that has ended. When a message of the session has digests in
 * metadata.call_keys, all keys are made of digests, so that a call with shortened arguments has the
 * same key as its later attempts. */
void session_learn_all(struct session *session);

/* The digest of a call (data/session/call_digest.h) in metadata.call_keys of its message; "" when
 * there is none. */
struct str session_noted_digest(const struct session *session, uint32_t call);

/* The key of that digest, or else of the one computed from the arguments. */
struct hash session_digest_key(const struct session *session, uint32_t call);

#endif
