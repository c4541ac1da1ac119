#ifndef FACTS_STATE_H
#define FACTS_STATE_H

/*
 * The state that calls leave, as things of which a later one takes the place of an earlier one:
 *
 *     checks   what was built or tested last, with its outcome, each command once, the newest last:
 *              "make check: failed", "npm run check: Found 2 errors"
 *     to-dos   what is open in the newest list of a to-do tool, behind its status: "in
 *              progress: mend the lamp"
 *     git      "branch main", "commit [main 3f9c2ab] lamp: oil", "push 1a2b..3f9c main -> main"
 *
 * A status is known where the result has is_error, or an exit code in its text. That of a check
 * that a pipe or another command follows is not its own. Without one the outcome is the line of the
 * output that tells it; where none does, the check says so: "make check: outcome unknown".
 */

#include "policy/facts/facts.h"

/* Whether the call is of a tool for to-dos. */
bool state_is_todos(const struct call *call);

/* Whether the call, which succeeded, gives a list of to-dos. Its open ones take the place of those
 * in todos, unless that is NULL. */
bool state_sets_todos(const struct session *session, uint32_t call, struct things *todos);

/* Each adds what the call, which has a result, says; the call must be learned. */
void state_add_check(struct facts *facts, const struct session *session, uint32_t call);
void state_add_todos(struct facts *facts, const struct session *session, uint32_t call);
void state_add_git(struct facts *facts, const struct session *session, uint32_t call);

#endif
