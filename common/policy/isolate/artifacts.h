#ifndef POLICY_ISOLATE_ARTIFACTS_H
#define POLICY_ISOLATE_ARTIFACTS_H

/*
 * Putting artifacts in the place of pair groups: one for each group, or one for all groups of an
 * execution, at the place of the first. Each section gets an artifact of its own, since sections
 * may be moved apart later.
 */

#include "policy/isolate/isolation.h"

/* Whether all groups that become one artifact with this one are decided. The calls of this group
 * are at the front of the window. */
bool artifacts_are_ready(struct isolation *isolation, uint32_t group);

/* Replaces the group, and the groups that share its artifact, by the artifact. Returns false, with
 * nothing changed, when that saves nothing. */
bool artifacts_put(struct isolation *isolation, uint32_t group);

#endif
