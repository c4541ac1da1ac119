#ifndef POLICY_ISOLATE_SAID_H
#define POLICY_ISOLATE_SAID_H

/*
 * What the assistant said and thought in executions that are over, where the user does not want to
 * keep it: texts without calls that are no final response, and thinking of old turns. Thinking in
 * the newest turns stays, and so does that of a run which is not over: a provider wants the
 * thinking of the calls that it goes on from.
 */

#include "policy/isolate/isolation.h"

/* Whether thinking of the entry, a message of the assistant, goes. */
enum term_answer said_ask_thinking(struct isolation *isolation, uint32_t entry);

/* Decides about the entry at the front of the window, which stays otherwise; see data/window.h. */
bool said_decide(struct isolation *isolation, uint32_t entry);

#endif
