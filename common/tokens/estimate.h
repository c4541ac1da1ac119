#ifndef TOKENS_ESTIMATE_H
#define TOKENS_ESTIMATE_H

/*
 * The tokens of messages and sessions. All commands use this module, so that all give the same
 * numbers. The count of a message is the sum of the tokens of its texts (data/message/texts.h) and
 * of fixed overheads. The estimator computes the cost of a session from the sum of the counts
 * (tokens/estimator.h).
 */

#include "data/message/texts.h"
#include "data/session/session.h"
#include "tokens/estimator.h"

/* The count of a message, and the count of a context record. The latter is that of its texts
 * (system prompt, tools and response format), without overhead; the newest context record gives the
 * tokens that are reserved for the system. When the user's command fails (status 69) or the
 * vocabulary is found to be damaged (78), the fault of the estimator is set and all counts are
 * worthless. */
uint64_t estimate_message(struct estimator *estimator, const struct message *message);
uint64_t estimate_context(struct estimator *estimator, const struct message *context);

/* The count of a decoded text alone, without overheads. */
uint64_t estimate_text(struct estimator *estimator, struct str text);

/* The count of a part of media; kind is image, audio or file. */
uint64_t estimate_media(
    const struct estimator *estimator, enum text_kind kind, struct json_value part);

/* Whether the count of the message is at least limit. Checks the length of the message first. */
bool estimate_reaches(struct estimator *estimator, const struct message *message, uint64_t limit);

/* Whether one text of the message has so many words that the message certainly has limit tokens.
 * Counts no tokens; false when this is not certain. */
bool estimate_surely_reaches(
    const struct estimator *estimator, const struct message *message, uint64_t limit);

/* Sets entry->tokens to the count of the entry, or to 0 when the entry is no message of the
 * thread. */
void estimate_entry(struct estimator *estimator, struct entry *entry);

/* Sets the tokens of all entries. Returns the sum over the entries that are not dropped. */
uint64_t estimate_session(struct estimator *estimator, struct session *session);

/* The cost of a session with that sum of counts; and the reverse, the greatest sum of counts whose
 * cost is at most cost. */
uint64_t estimate_cost(const struct estimator *estimator, uint64_t sum);
uint64_t estimate_sum(const struct estimator *estimator, uint64_t cost);

/* The greatest count of a single text or message whose cost is at most cost. */
uint64_t estimate_count(const struct estimator *estimator, uint64_t cost);

#endif
