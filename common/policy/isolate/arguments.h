#ifndef POLICY_ISOLATE_ARGUMENTS_H
#define POLICY_ISOLATE_ARGUMENTS_H

/*
 * Masking the arguments of calls: each long string in them becomes a placeholder, so that the JSON
 * stays valid. The path of a file stays, and so does a command or a patch that would no longer show
 * which files it writes (policy/compact/shorten.h).
 */

#include "policy/isolate/isolation.h"

/* Whether the user wants arguments of a call of the group to be masked, and none were. */
bool arguments_are_asked(const struct isolation *isolation, const struct group *group);

/* Masks the long strings in the arguments of these calls, if that saves something. */
void arguments_mask(struct isolation *isolation, const struct group *group);

#endif
