#ifndef POLICY_ISOLATE_BOUNDARY_H
#define POLICY_ISOLATE_BOUNDARY_H

/*
 * The policy boundary: in executions that are over, each pair group becomes one trace artifact, and
 * other trace of the assistant goes.
 */

#include "policy/isolate/isolation.h"

/* Decides about the entry at the front of the window; see data/window.h. */
bool boundary_decide(struct isolation *isolation, uint32_t entry);

#endif
