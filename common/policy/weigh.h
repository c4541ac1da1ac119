#ifndef POLICY_WEIGH_H
#define POLICY_WEIGH_H

/*
 * Whether a change pays: the one place where what a policy did is weighed. Nothing grows: changes
 * stand when what they leave has fewer bytes and no more tokens than what they took, and are undone
 * otherwise. Most of this is decided by bytes or by bounds of tokens; an entry is counted when
 * nothing else tells.
 */

#include "data/change.h"
#include "tokens/estimate.h"

/* The entry's tokens, counted where nobody has yet. */
uint32_t weigh_entry(struct session *session, uint32_t entry, struct estimator *estimator);

/* The tokens that the entry had before all changes. */
uint32_t weigh_original(const struct session *session, uint32_t entry,
    struct estimator *estimator);

/* The fewest tokens that a message with so many named calls can have. */
uint32_t weigh_least(const struct estimator *estimator, uint32_t calls);

/* Settles the changes since the mark as one deed: weighs what is new, and lets them stand or undoes
 * them all. Returns whether they stand. */
bool weigh_settle(struct session *session, uint32_t mark, struct estimator *estimator);

#endif
