#ifndef FACE_LIMITS_H
#define FACE_LIMITS_H

/*
 * The options by which ctx-budget and ctx-compact are told the limits of a budget.
 */

#include "face/options.h"
#include "policy/budget.h"
#include "tokens/estimate.h"

struct estimator_options {
	const char *name;
	uint64_t image_tokens;
	bool image_given;
	const char *timeout;
};

/* Rows of an option table; estimator is a struct estimator_options of the command's struct. */
#define OPTIONS_ESTIMATOR(type)                                                                    \
	{"estimator", 0, "NAME",                                                                    \
	    "how tokens are counted: o200k_base (default), cl100k_base, bytes/4, usage, "            \
	    "calibrated or cmd:COMMAND",                                                             \
	    OPTION_STRING, offsetof(struct type, estimator.name), NULL, 0},                          \
	{"image-tokens", 0, "N", "what an image counts (765)", OPTION_COUNT,                        \
	    offsetof(struct type, estimator.image_tokens), NULL,                                     \
	    offsetof(struct type, estimator.image_given)},                                           \
	{"command-timeout", 0, "TIME", "how long cmd: may read and write nothing (60s)",            \
	    OPTION_STRING, offsetof(struct type, estimator.timeout), NULL, 0}

/* Rows of an option table; limits is a struct budget_limits of the command's struct. */
#define OPTIONS_LIMITS(type)                                                                       \
	{"window", 'w', "TOKENS", "the model's context window (128k)", OPTION_SIZE,                 \
	    offsetof(struct type, limits.window), NULL, 0},                                          \
	{"reserve-output", 0, "TOKENS", "kept for the answer (16k, at most a quarter)",             \
	    OPTION_SIZE, offsetof(struct type, limits.reserve_output), NULL, 0},                     \
	{"reserve-system", 0, "TOKENS", "kept for the system prompt (its count)", OPTION_SIZE,      \
	    offsetof(struct type, limits.reserve_system), NULL, 0},                                  \
	{"headroom", 0, "TOKENS", "compact when less remains (2k, at most 1/32)", OPTION_SIZE,      \
	    offsetof(struct type, limits.headroom), NULL, 0},                                        \
	{"soft", 0, "TOKENS", "compact when this much is used (80%)", OPTION_SIZE,                  \
	    offsetof(struct type, limits.soft), NULL, 0}

/* Dies with status 64 when there is no estimator of the name that the options give. */
void limits_check_estimator(const struct estimator_options *options);

/* Opens the estimator that the options name; dies with status 64 when there is none of that name,
 * 66 or 78 when its vocabulary is missing or malformed. fault outlives the estimator and is set when
 * a count fails. Close it with estimator_close. */
void limits_open_estimator(struct estimator *estimator, const struct estimator_options *options,
    struct fault *fault);

/* Dies with status 64 when an output is the vocabulary that the estimator reads. */
void limits_check_outputs(const struct estimator *estimator, const struct common_options *options);

/* Prints the fault, if it is set, and ends the program with its status. */
void limits_check_fault(const struct fault *fault);

/* Fits an estimator that learns from the session (usage, calibrated); says so when the session has
 * too little to learn from. Others stay as they are. */
void limits_fit(struct estimator *estimator, const struct estimator_options *options,
    struct session *session);

/* The same warning, for who fitted by himself; points are the responses that report usage. */
void limits_warn_unfitted(const struct estimator_options *options, uint64_t points);

/* Dies with status 64 when a limit is no number of tokens, or the window is given in its own
 * share. */
void limits_check(const struct budget_limits *limits);

#endif
