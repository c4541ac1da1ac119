#ifndef POLICY_CONSTRAINTS_CONSTRAINTS_H
#define POLICY_CONSTRAINTS_CONSTRAINTS_H

/*
 * Standing constraints: the sentences of the user, of system and developer messages and of injected
 * project instructions that forbid or oblige. Each holds until a later sentence about the same
 * things overrides it: the opposite, a release, or the same with another number.
 *
 *     Never touch stations.txt.             overridden
 *     You may touch stations.txt now.       holds
 *     Always use port 8080.                 overridden
 *     Always use port 9090.                 holds
 *
 * Sentences are those of sentences.h; obligation.h says which of them forbid, oblige or release. A
 * release counts only where it overrides something.
 *
 * A client may describe the environment. Of such a text only the permissions are taken, the newest
 * of each kind.
 *
 * A constraint too many costs a line, a constraint too few the user's trust: if it is not certain
 * that a sentence overrides another one, both hold, with the newer one after the older.
 */

#include "data/session/session.h"
#include "policy/constraints/phrases.h"
#include "policy/facts/things.h"

/* Whether messages like the entry may constrain: no result of a tool, no answer, no artifact. */
bool constraints_may_stand_in(const struct entry *entry);

/* Whether the constraint says "must" or "may not", rather than "should". own: as below. */
bool constraints_is_strict(struct str constraint, struct phrases *own);

enum { CONSTRAINTS_COMPARED = 64 };

/* The state of reading constraints into one list. */
struct constraints_reader {
	struct phrases *own;           /* wordings of the user, or NULL */
	struct constraints_read *read; /* so far, so that each is read once; free(3) frees them */
};

/* Adds the constraints in the text of the entry, the newest last. Those that one of them overrides
 * go; a sentence is held against the newest CONSTRAINTS_COMPARED. */
void constraints_add(struct things *constraints, struct constraints_reader *reader,
    const struct entry *entry, struct str text);

/* Takes out constraints that a constraint in the text of the entry overrides or repeats. */
void constraints_override(struct things *constraints, struct constraints_reader *reader,
    const struct entry *entry, struct str text);

#endif
