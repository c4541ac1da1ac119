#ifndef BUDGET_WEIGH_H
#define BUDGET_WEIGH_H

/*
 * Whether changes make a session smaller. All policies ask this module. A session must not grow:
 * changes are kept if the new records have fewer bytes than the old records and no more tokens.
 * Other changes are undone.
 *
 * Counting tokens is slow. Most questions are answered by bytes, or by a lower bound of the tokens.
 * The tokens of an entry are counted only when the bounds do not decide, and at most once for each
 * text of the entry (entry->tokens; entry->least has the bound).
 */

#include "data/change.h"
#include "tokens/estimate.h"

/* The tokens of the entry. Counts them when entry->tokens does not have them yet. */
uint32_t weigh_entry(struct session *session, uint32_t entry, struct estimator *estimator);

/* The tokens of all entries of the entry's unit (data/session/session.h). */
uint64_t weigh_unit(struct session *session, uint32_t entry, struct estimator *estimator);

/* Whether the entry has at least that many tokens; message is the parsed message of the entry. If
 * so, entry->least keeps the number, so that later calls need not count. */
bool weigh_reaches(struct session *session, uint32_t entry, const struct message *message,
    uint64_t tokens, struct estimator *estimator);

/* Raises entry->least to 64 if the entry surely has that many tokens: most records that replace
 * others have fewer, and then need no count. message is the parsed message of the entry. */
void weigh_note(struct session *session, uint32_t entry, const struct message *message,
    struct estimator *estimator);

/* The tokens that the entry had before all changes. */
uint32_t weigh_original(const struct session *session, uint32_t entry, struct estimator *estimator);

/* The fewest tokens that a message with that many calls, each with a name, can have. */
uint32_t weigh_least(const struct estimator *estimator, uint32_t calls);

/* Whether a session without changes has more than that many tokens. First adds up what is known
 * without counting: for each message its tokens, or the fewest that a message can have. If this sum
 * is not greater, counts the messages, the newest first, until the sum is greater. */
bool weigh_exceeds(struct session *session, uint64_t tokens, struct estimator *estimator);

/* Compares all records that were changed since the mark, together, with those before. Undoes all of
 * these changes unless the new records have fewer bytes and no more tokens. Returns whether the
 * changes are kept. */
bool weigh_settle(struct session *session, uint32_t mark, struct estimator *estimator);

/* The same when an upper bound is known: the new records have at most that many tokens of a
 * vocabulary. The new records are not counted when this bound decides. */
bool weigh_settle_most(
    struct session *session, uint32_t mark, uint64_t most, struct estimator *estimator);

/* Whether the new records of all changes since the mark have fewer bytes than the old ones. The
 * parameter but is the number of one change, or NONE: the new record of that change counts as more
 * bytes instead of its own. */
bool weigh_saves_bytes(const struct session *session, uint32_t mark, uint32_t but, uint64_t more);

#endif
