#ifndef POLICY_CHECKS_H
#define POLICY_CHECKS_H

/*
 * Checks: shell commands that build or test.
 */

#include "base/str.h"

/* Whether a word of the command says that it builds or tests. */
bool checks_is(struct str command);

#endif
