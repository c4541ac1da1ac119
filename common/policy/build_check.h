#ifndef POLICY_BUILD_CHECK_H
#define POLICY_BUILD_CHECK_H

/*
 * Checks: shell commands that build or test, and what they print.
 */

#include "base/str.h"

/*
 * The last chain of commands ("cd src && make check") in which one builds or tests: its tool does
 * nothing else (pytest), or the verb of its tool says so (cargo test, npm run build, but not cargo
 * add test). "" when there is none. Sets *is_own to whether the exit status of the whole command is
 * the status of the chain: no pipe and no other command follows the chain.
 */
struct str build_check_find(struct str command, bool *is_own);

/* Whether there is such a chain. */
bool build_check_is(struct str command);

/* Whether a line without blanks around it says that a test passed, by the forms of TAP, cargo, go,
 * jest, vitest, mocha, node, pytest, unittest, ctest and GoogleTest. */
bool build_check_has_passed(struct str line);

#endif
