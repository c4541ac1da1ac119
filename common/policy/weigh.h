#ifndef POLICY_WEIGH_H
#define POLICY_WEIGH_H

/*
 * Whether changes pay. Nothing may grow: changes stand when the records after them have fewer bytes
 * and no more tokens than the records before; otherwise they are undone. All policies ask here.
 * Most questions are answered by bytes or by bounds of tokens; an entry is counted only when these
 * do not tell.
 */

#include "data/change.h"
#include "tokens/estimate.h"

/* The tokens of the entry; counts them when they are not counted yet. */
uint32_t weigh_entry(struct session *session, uint32_t entry, struct estimator *estimator);

/* The tokens that the entry had before all changes. */
uint32_t weigh_original(const struct session *session, uint32_t entry, struct estimator *estimator);

/* The fewest tokens that a message with that many named calls can have. */
uint32_t weigh_least(const struct estimator *estimator, uint32_t calls);

/* Weighs all changes since the mark together, and undoes all of them when they do not pay. Returns
 * whether they stand. */
bool weigh_settle(struct session *session, uint32_t mark, struct estimator *estimator);

#endif
