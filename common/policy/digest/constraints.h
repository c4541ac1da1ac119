#ifndef POLICY_DIGEST_CONSTRAINTS_H
#define POLICY_DIGEST_CONSTRAINTS_H

/*
 * Standing constraints: the sentences of the user, of system and developer messages and of injected
 * project instructions that forbid or oblige. They stand until a later sentence about the same
 * things overrides them: the opposite, a release, or the same with another number.
 *
 *     Never touch stations.txt.             overridden
 *     You may touch stations.txt now.       stands
 *     Always use port 8080.                 overridden
 *     Always use port 9090.                 stands
 *
 * Sentences are those of policy/digest/sentences.h. By English phrases, a sentence
 *
 *     obliges or forbids   with one wherever it stands: must, never, do not, only, make sure …
 *                          with one at its start: no, cannot, stop, leave, prefer …
 *                          with should or needs to be; no question but a request
 *     releases             you may, no longer, feel free to, ignore …; it counts only where it
 *                          overrides something
 *
 * What the author tells of himself does neither: "I don't think that's it."
 *
 * Of an environment that a client tells of, what it permits is taken, the newest of each kind.
 *
 * A constraint too many costs a line, one too few the user's trust: where it is not sure that a
 * sentence overrides another one, both stand, the newer one behind.
 */

#include "data/session/session.h"
#include "policy/facts/things.h"

/* Whether messages like the entry may constrain: no result of a tool, no answer, no artifact. */
bool constraints_may_stand_in(const struct entry *entry);

/* Whether the constraint says what must or may not be, rather than what should. */
bool constraints_is_strict(struct str constraint);

enum { CONSTRAINTS_COMPARED = 64 };

/* What was read of constraints by now, so that each is read once: NULL at first, and to be freed
 * with free(3). It belongs to one list. */
struct constraints_read;

/* Adds the constraints in the text of the entry, the newest last. Those that one of them overrides
 * go; a sentence is held against the newest CONSTRAINTS_COMPARED. */
void constraints_add(struct things *constraints, struct constraints_read **read,
    const struct entry *entry, struct str text);

/* Takes out those that a constraint in the text of the entry overrides or says again. */
void constraints_override(struct things *constraints, struct constraints_read **read,
    const struct entry *entry, struct str text);

#endif
