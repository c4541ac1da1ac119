#ifndef POLICY_ISOLATE_ARTIFACTS_H
#define POLICY_ISOLATE_ARTIFACTS_H

/*
 * Putting artifacts in the place of pair groups: one for each group, or one for all groups of an
 * execution, at the place of the first. Groups of another section get one of their own, since
 * sections go their own ways.
 */

#include "policy/isolate/isolation.h"

/* Whether all is known of the groups that become one artifact with this one, whose calls stand at
 * the front of the window. */
bool artifacts_are_ready(struct isolation *isolation, uint32_t group);

/* Puts an artifact in the place of the group, and of those that go with it. Returns false when that
 * saves nothing: then nothing has changed. */
bool artifacts_put(struct isolation *isolation, uint32_t group);

#endif
