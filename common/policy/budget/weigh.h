#ifndef BUDGET_WEIGH_H
#define BUDGET_WEIGH_H

/*
 * Whether changes pay; all policies ask here. A session must not grow: changes stand if the new
 * records have fewer bytes and no more tokens than the old ones. Other changes are undone.
 *
 * Counting tokens is slow. Bytes, or bounds of the tokens, answer most questions; the tokens of an
 * entry are counted only when the bounds do not decide.
 */

#include "data/change.h"
#include "tokens/estimate.h"

/* The tokens of the entry, which are counted once. */
uint32_t weigh_entry(struct session *session, uint32_t entry, struct estimator *estimator);

/* Those of all members of its unit (data/session/session.h). */
uint64_t weigh_unit(struct session *session, uint32_t entry, struct estimator *estimator);

/* Whether the entry has that many tokens or more; message is the parsed message of the entry. A yes
 * is remembered, and answers later questions. */
bool weigh_reaches(struct session *session, uint32_t entry, const struct message *message,
    uint64_t tokens, struct estimator *estimator);

/* Notes of an entry, whose parsed message is at hand, whether it surely has the tokens that most
 * records have that replace others. */
void weigh_note(struct session *session, uint32_t entry, const struct message *message,
    struct estimator *estimator);

/* The tokens that the entry had before all changes. */
uint32_t weigh_original(const struct session *session, uint32_t entry, struct estimator *estimator);

/* The fewest tokens that a message with that many named calls can have. */
uint32_t weigh_least(const struct estimator *estimator, uint32_t calls);

/* Whether a session without changes has more than that many tokens. The least that each message can
 * have may decide it; if not, messages are counted, the newest first. */
bool weigh_exceeds(struct session *session, uint64_t tokens, struct estimator *estimator);

/* Weighs all changes since the mark together, and undoes all of them if they do not pay. Returns
 * whether the changes stand. */
bool weigh_settle(struct session *session, uint32_t mark, struct estimator *estimator);

/* The same, where the new records are known to have at most so many tokens of a vocabulary. When
 * that decides, the new records are not counted. */
bool weigh_settle_most(
    struct session *session, uint32_t mark, uint64_t most, struct estimator *estimator);

/* Whether the changes since the mark leave fewer bytes than they replace. The change of the number
 * but, or NONE, counts as one that leaves more bytes instead. */
bool weigh_saves_bytes(const struct session *session, uint32_t mark, uint32_t but, uint64_t more);

#endif
