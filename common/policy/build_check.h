#ifndef POLICY_BUILD_CHECK_H
#define POLICY_BUILD_CHECK_H

/*
 * Checks: shell commands that build or test.
 */

#include "base/str.h"

/* Whether a word of the command says that it builds or tests. */
bool build_check_is(struct str command);

#endif
