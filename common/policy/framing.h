#ifndef POLICY_FRAMING_H
#define POLICY_FRAMING_H

/*
 * The framing of the task: the user's messages before the first answer to a request. What the user
 * told the client alone, such as "/model", is no request, unless nothing else is.
 *
 *     [system] [greeting]  user user  answer ...  user  answer
 *                          framing                request
 *
 * An answer is a message of the model that stands behind a message of the user. A view may put
 * other sections in front, so the framing is sought in section "messages" when any message is in
 * it. Messages of other sections and artifacts are no answers, but for those of section "buffer":
 * ctx-route puts old messages there, and the first answer is the oldest. A view that has the buffer
 * in front has no message of the framing before these answers, and they end nothing.
 *
 * Once answers were dropped, the framing cannot be told from later requests. So the artifact of a
 * compaction says how many messages the framing has.
 */

#include "data/session/session.h"

#define FRAMING_ANY UINT64_MAX

struct framing {
	uint32_t first; /* the entry of its first message, or NONE */
	uint32_t last;
	uint64_t count;
	bool in_messages; /* it is sought in section "messages" alone */
};

/* The first message behind those of the system and the developer that lead the session; the number
 * of its entries: there is none. */
uint32_t framing_begin(const struct session *session);

/* The framing of the session, of at most that many messages. */
struct framing framing_find(struct session *session, uint64_t most);

/* Whether the entry is of the framing. */
bool framing_has(struct session *session, const struct framing *framing, uint32_t entry);

/* Whether the entry is a message of the user in the thread, and no artifact. */
bool framing_is_user(const struct entry *entry);

#endif
