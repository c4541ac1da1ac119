#ifndef TOKENS_ESTIMATE_H
#define TOKENS_ESTIMATE_H

/*
 * The tokens that messages cost. All commands ask here, so that all give the same numbers. The
 * count of a message is that of its texts (data/message/texts.h) and of fixed overheads. The cost
 * of a session follows from the sum of its counts, as the estimator says (tokens/estimator.h).
 */

#include "data/message/texts.h"
#include "data/session/session.h"
#include "tokens/estimator.h"

/* The count of a message, and the count of a context record: the texts that it sends beside the
 * messages, without overhead. The newest context record gives the reserve of the system. When the
 * user's command fails (status 69) or the vocabulary turns out to be damaged (78), the fault is set
 * and all counts are worthless. */
uint64_t estimate_message(struct estimator *estimator, const struct message *message);
uint64_t estimate_context(struct estimator *estimator, const struct message *context);

/* The count of a decoded text alone, without overheads. */
uint64_t estimate_text(struct estimator *estimator, struct str text);

/* The count of a part of media, which is an image, audio or a file by its kind. */
uint64_t estimate_media(
    const struct estimator *estimator, enum text_kind kind, struct json_value part);

/* Whether the count of the message is at least limit. Looks at the length of the message first. */
bool estimate_reaches(struct estimator *estimator, const struct message *message, uint64_t limit);

/* Whether the words of one text of the message show, without a count, that it has limit tokens. */
bool estimate_surely_reaches(
    const struct estimator *estimator, const struct message *message, uint64_t limit);

/* Sets entry->tokens to its count, or to 0 when it is no message of the thread. */
void estimate_entry(struct estimator *estimator, struct entry *entry);

/* Sets the tokens of all entries. Returns the sum over the entries that are not dropped. */
uint64_t estimate_session(struct estimator *estimator, struct session *session);

/* The cost of a session for the sum of its counts, and the greatest sum whose cost is at most
 * cost. */
uint64_t estimate_cost(const struct estimator *estimator, uint64_t sum);
uint64_t estimate_sum(const struct estimator *estimator, uint64_t cost);

/* The greatest count that one text or message may have to cost at most cost. */
uint64_t estimate_count(const struct estimator *estimator, uint64_t cost);

#endif
