#ifndef TOKENS_ESTIMATOR_H
#define TOKENS_ESTIMATOR_H

/*
 * The estimators: ways to count the tokens of a text, and to compute the cost of a session from the
 * sum of its counts.
 *
 *     cost = offset + ratio * sum of counts
 *
 *     o200k_base, cl100k_base, bytes/4, cmd:COMMAND     offset 0, ratio 1
 *     usage         offset: the newest reported usage less the counts up to its message
 *     calibrated    ratio and offset: fitted over the session (tokens/fit.h)
 */

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
	ESTIMATOR_BYTES4, /* bytes of decoded text / 4, rounded up, and 4 a message; media: 0 */
	ESTIMATOR_USAGE,
	ESTIMATOR_CALIBRATED,
	ESTIMATOR_COMMAND,
};

/* The result of learning from reported usage: reported = ratio * counted + offset, in tokens. */
struct calibration {
	double ratio;
	int64_t offset;
	uint64_t points; /* the number of points that were used; 0: nothing is known */
	double lowest;   /* the lowest ratio of a single point */
	double highest;  /* the highest ratio of a single point */
};

struct estimator {
	enum estimator_kind kind;
	const char *name;         /* as in the budget record */
	const char *command;      /* ESTIMATOR_COMMAND */
	uint64_t command_timeout; /* seconds, 0: no limit; see process_run */
	uint64_t image_tokens;
	double ratio;
	int64_t offset;
	struct calibration calibration; /* the source of a learnt ratio and offset */
	struct token_counter *counter;  /* for the exact encodings; else NULL */
	struct buf text;                /* decoded texts */
	struct fault *fault;            /* the fault of the run: set when a count fails */
};

/* Sets kind and name; name must live as long as the estimator. Returns false when name is not one
 * of the names above. */
bool estimator_init(struct estimator *estimator, const char *name);

/* Opens the vocabulary, if the kind needs one. Returns false with the fault set when that fails.
 * fault must outlive the estimator: a later count that fails sets the same fault. */
bool estimator_open(struct estimator *estimator, struct fault *fault);

void estimator_close(struct estimator *estimator);

/* Whether ratio and offset are learnt from a session (tokens/fit.h). */
static inline bool
estimator_learns(const struct estimator *estimator)
{
	return estimator->kind == ESTIMATOR_USAGE || estimator->kind == ESTIMATOR_CALIBRATED;
}

/* The estimator for one of many sessions. When the estimator learns, makes *own a copy that learns
 * for this session alone, and returns own; otherwise returns estimator. Free own before the
 * estimator is closed. */
struct estimator *estimator_share(struct estimator *estimator, struct estimator *own);
void estimator_free_own(struct estimator *own);

#endif
