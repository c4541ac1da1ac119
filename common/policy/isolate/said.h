#ifndef POLICY_ISOLATE_SAID_H
#define POLICY_ISOLATE_SAID_H

/*
 * Texts and thinking of the assistant that the user does not want to keep: in executions that are
 * over, texts without calls that are not the final response; and thinking of old turns. Thinking in
 * the newest turns stays, and so does thinking of an execution that is not over: a provider
 * requires the thinking of the calls that it continues from.
 */

#include "policy/isolate/isolation.h"

/* Whether the thinking of the entry, a message of the assistant, is removed. */
enum term_answer said_ask_thinking(struct isolation *isolation, uint32_t entry);

/* Decides about the entry at the front of the window, which stays otherwise; see data/window.h. */
bool said_decide(struct isolation *isolation, uint32_t entry);

#endif
