#ifndef TOKENS_ESTIMATE_H
#define TOKENS_ESTIMATE_H

/*
 * The tokens that messages cost. All commands ask here, so that all give the same numbers. The
 * count of a message is that of its texts (data/message/texts.h) and of fixed overheads. The cost
 * of a session follows from the sum of its counts:
 *
 *     cost = offset + ratio * sum of counts
 *
 *     o200k_base, cl100k_base, bytes/4, cmd:COMMAND     offset 0, ratio 1
 *     usage         offset: the newest reported usage less the counts up to its message
 *     calibrated    ratio and offset: fitted over the session (tokens/fit.h)
 */

#include "data/message/texts.h"
#include "data/session/session.h"
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
	TOKENS_PER_IMAGE =
	    765, /* 1024 x 1024 in full detail: 85 + 4 tiles of 170 (OpenAI, vision) */
	TOKENS_PER_SMALL_IMAGE = 85, /* "detail":"low" */
	TOKENS_PER_AUDIO = 600,      /* a minute at ten a second */
	TOKENS_PER_FILE = 1500,      /* a page of a PDF (Anthropic, PDF support) */
};

enum estimator_kind {
	ESTIMATOR_O200K,
	ESTIMATOR_CL100K,
	ESTIMATOR_BYTES4, /* bytes of decoded text / 4, rounded up, and 4 a message; media are 0 */
	ESTIMATOR_USAGE,
	ESTIMATOR_CALIBRATED,
	ESTIMATOR_COMMAND,
};

/* What reported usage says of a stream: reported = ratio * counted + offset. */
struct calibration {
	double ratio;
	int64_t offset;
	uint64_t points; /* that it was learnt from; 0: nothing is known */
	double lowest;   /* the lowest ratio of a single point, and the highest */
	double highest;
};

struct estimator {
	enum estimator_kind kind;
	const char *name;         /* as in the budget record */
	const char *command;      /* ESTIMATOR_COMMAND */
	uint64_t command_timeout; /* seconds, 0: no limit; see process_run */
	uint64_t image_tokens;
	double ratio;
	int64_t offset;
	struct calibration calibration; /* where ratio and offset were learnt from */
	struct token_counter *counter;  /* of the exact encodings */
	struct buf text;                /* decoded texts */
	struct fault *fault;            /* of the run: set when a count fails */
};

/* Sets kind and name; name must live as long as the estimator. Returns false when name is none of
 * those above. */
bool estimator_init(struct estimator *estimator, const char *name);

/* Opens the vocabulary, if the kind needs one. Returns false with the fault set when that fails.
 * fault is that of the run: it must outlive the estimator, and a later count that fails sets it
 * too. */
bool estimator_open(struct estimator *estimator, struct fault *fault);

void estimator_close(struct estimator *estimator);

/* Whether ratio and offset are learnt from a session (tokens/fit.h). */
static inline bool
estimator_learns(const struct estimator *estimator)
{
	return estimator->kind == ESTIMATOR_USAGE || estimator->kind == ESTIMATOR_CALIBRATED;
}

/* For one of many sessions: the estimator itself, or, where it learns, own, which becomes a copy
 * that learns for itself and is freed before the estimator is closed. */
struct estimator *estimator_share(struct estimator *estimator, struct estimator *own);
void estimator_free_own(struct estimator *own);

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
