#ifndef POLICY_ISOLATE_MASK_H
#define POLICY_ISOLATE_MASK_H

/*
 * The policy mask: in executions that are over, the content of a result becomes a placeholder.
 * Calls and texts stay, and so do the newest results.
 */

#include "policy/isolate/isolation.h"

/* Decides about the entry at the front of the window; see data/window.h. */
bool mask_decide(struct isolation *isolation, uint32_t entry);

#endif
