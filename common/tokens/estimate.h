#ifndef TOKENS_ESTIMATE_H
#define TOKENS_ESTIMATE_H

/*
 * What messages cost in tokens. Every command that weighs asks here, so that they all give the same
 * answer. A message has a count, made of its texts (data/texts.h) and fixed overheads; a session's
 * cost follows from the sum of its counts:
 *
 *     cost = offset + ratio * sum of counts
 *
 *     o200k_base, cl100k_base, bytes/4, cmd:COMMAND     offset 0, ratio 1
 *     usage         offset: what the newest reported usage has beyond the counts up to it
 *     calibrated    ratio: reported to counted tokens, fitted over the session (tokens/fit.h)
 */

#include "data/texts.h"
#include "data/session.h"
#include "tokens/count.h"

/*
 * Overheads of the exact encodings, in tokens. A message of the Harmony format that o200k_base
 * models read is <|start|>ROLE<|message|>TEXT<|end|>; a call is a message that adds
 * <|channel|>commentary to=functions.NAME<|constrain|>json: one token each (openai/harmony,
 * docs/format.md). The rule for cl100k_base models, three and the role, comes to the same four
 * (openai-cookbook, How to count tokens with tiktoken).
 */
enum {
	TOKENS_PER_MESSAGE = 4,
	TOKENS_PER_CALL = 8,
	TOKENS_PER_IMAGE = 765, /* 1024 x 1024 in full detail: 85 + 4 tiles of 170 (OpenAI, vision) */
	TOKENS_PER_SMALL_IMAGE = 85, /* "detail":"low" */
	TOKENS_PER_AUDIO = 600, /* a minute at ten a second */
	TOKENS_PER_FILE = 1500, /* a page of a PDF (Anthropic, PDF support) */
};

enum estimator_kind {
	ESTIMATOR_O200K,
	ESTIMATOR_CL100K,
	ESTIMATOR_BYTES4, /* bytes of decoded text / 4, rounded up, and 4 a message; no media */
	ESTIMATOR_USAGE,
	ESTIMATOR_CALIBRATED,
	ESTIMATOR_COMMAND,
};

struct estimator {
	enum estimator_kind kind;
	const char *name;    /* as the budget record names it */
	const char *command; /* ESTIMATOR_COMMAND */
	uint64_t command_timeout; /* seconds, 0 is no limit; see process_run */
	uint64_t image_tokens;
	double ratio;
	int64_t offset;
	struct token_counter *counter; /* of the exact encodings */
	struct buf text;               /* decoded texts */
	struct fault *fault;           /* of the run: where a failed count is told */
};

/* Sets kind and name; name (which must live on) is one of those above. False when it is none. */
bool estimator_init(struct estimator *estimator, const char *name);

/* Opens what the kind needs; false with the fault set when it cannot. The fault is the run's: it must
 * outlive the estimator, and a later count that fails sets it too. */
bool estimator_open(struct estimator *estimator, struct fault *fault);

void estimator_close(struct estimator *estimator);

/* The count of one message; of what a context record sends beside the messages, no overhead: the
 * reserve of the system, by the newest context record. When the user's command fails (status 69) or
 * the vocabulary turns out to be damaged (78), the fault is set and all counts are worthless. */
uint64_t estimate_message(struct estimator *estimator, const struct message *message);
uint64_t estimate_context(struct estimator *estimator, const struct message *context);

/* Whether the message's count is at least limit: decided by its length where that tells. */
bool estimate_reaches(struct estimator *estimator, const struct message *message, uint64_t limit);

/* The count of an entry (0 where it is no message of the thread), kept in its tokens. */
void estimate_entry(struct estimator *estimator, struct entry *entry);

/* The counts of all entries; returns the sum of those not dropped. */
uint64_t estimate_session(struct estimator *estimator, struct session *session);

/* The session's cost for a sum of counts, and the greatest sum whose cost is at most cost. */
uint64_t estimate_cost(const struct estimator *estimator, uint64_t sum);
uint64_t estimate_sum(const struct estimator *estimator, uint64_t cost);

/* The greatest count of one text or message that costs at most cost. */
uint64_t estimate_count(const struct estimator *estimator, uint64_t cost);

#endif
