#ifndef POLICY_ISOLATE_THINKING_H
#define POLICY_ISOLATE_THINKING_H

/*
 * Thinking: the parts of a content, and the member "reasoning_content", with a model's thoughts
 * rather than its answer. Thinking is removed as a whole, with its signatures, since a provider
 * refuses changed thinking.
 */

#include "policy/budget/weigh.h"

bool thinking_is_in(const struct message *message);

/* Takes the thinking out of the entry; all other bytes stay. A content that was thinking alone
 * becomes null beside calls; a message of which nothing else is left is dropped. */
void thinking_remove(struct session *session, uint32_t entry, struct estimator *estimator);

#endif
