#ifndef FACTS_STATE_H
#define FACTS_STATE_H

/*
 * The state that calls leave. A later thing replaces an earlier one:
 *
 *     checks   the last builds and tests with their outcomes, each command once, the newest last:
 *              "make check: failed", "npm run check: Found 2 errors"
 *     to-dos   the open items in the newest list of a to-do tool, each after its status: "in
 *              progress: mend the lamp"
 *     git      "branch main", "commit [main 3f9c2ab] lamp: oil", "push 1a2b..3f9c main -> main"
 *
 * The status is known if the result has is_error, or an exit code in its text. If a pipe or another
 * command follows the check, that status is not the check's own. Without a status the outcome is
 * the line of the output that tells it (check_outcome.h), or else "make check: outcome unknown".
 */

#include "policy/facts/facts.h"

/* Whether the call is of a tool for to-dos. */
bool state_is_todos(const struct call *call);

/* Whether the call, which succeeded, gives a list of to-dos. If todos is not NULL, the open to-dos
 * of the call replace those in todos. */
bool state_sets_todos(const struct session *session, uint32_t call, struct things *todos);

/* Each adds the state that the call leaves. The call must have a result and be learned. */
void state_add_check(struct facts *facts, const struct session *session, uint32_t call);
void state_add_todos(struct facts *facts, const struct session *session, uint32_t call);
void state_add_git(struct facts *facts, const struct session *session, uint32_t call);

#endif
