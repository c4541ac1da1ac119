#ifndef POLICY_FRAMING_H
#define POLICY_FRAMING_H

/*
 * The framing of the task: the user's messages before the first answer to a request. A command to
 * the client, such as "/model", is a request only if the session has no other.
 *
 *     [system] [greeting]  user user  answer ...  user  answer
 *                          framing                request
 *
 * An answer is a message of the model after a message of the user. A view may put other sections
 * first, so if section "messages" has any message, the framing is searched only there. Artifacts
 * and messages of other sections are no answers, except in section "buffer": ctx-route moves old
 * messages there, also the first answer. If a view begins with the buffer, no message of the
 * framing precedes these answers, and they end no framing.
 *
 * After answers were dropped, the framing cannot be distinguished from later requests. So the
 * artifact of a compaction says how many messages the framing has.
 */

#include "data/session/session.h"

#define FRAMING_ANY UINT64_MAX

struct framing {
	uint32_t first; /* the entry of its first message, or NONE */
	uint32_t last;
	uint64_t count;
	bool in_messages; /* it is searched in section "messages" only */
};

/* The entry of the first message after the leading system and developer messages; session->count if
 * there is none. */
uint32_t framing_begin(const struct session *session);

/* The framing of the session, of at most that many messages. */
struct framing framing_find(struct session *session, uint64_t most);

bool framing_has(struct session *session, const struct framing *framing, uint32_t entry);

/* Whether the entry is a message of the user in the thread, and no artifact. */
bool framing_is_user(const struct entry *entry);

#endif
