#ifndef POLICY_ISOLATE_THINKING_H
#define POLICY_ISOLATE_THINKING_H

/*
 * Thinking: the parts of a content, and the member "reasoning_content", in which a model says what
 * it thinks and not what it answers. Thinking goes as a whole, with its signatures, since a
 * provider refuses thinking that was changed.
 */

#include "policy/budget/weigh.h"

bool thinking_is_in(const struct message *message);

/* Takes the thinking out of the entry; all other bytes stay. A content that was thinking alone
 * becomes null beside calls; a message of which nothing else is left is dropped. */
void thinking_remove(struct session *session, uint32_t entry, struct estimator *estimator);

#endif
