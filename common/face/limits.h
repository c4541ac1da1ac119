#ifndef FACE_LIMITS_H
#define FACE_LIMITS_H

/*
 * The options by which ctx-budget and ctx-compact are told the limits of a budget.
 */

#include "face/options.h"
#include "policy/budget.h"
#include "tokens/estimate.h"

/* A row of an option table; estimator is an int of the command's struct. */
#define OPTIONS_ESTIMATOR(type)                                                                    \
	{"estimator", 0, "NAME", "how tokens are counted: bytes/4", OPTION_CHOICE,                  \
	    offsetof(struct type, estimator), estimator_names, 0}

/* Rows of an option table; limits and estimator are members of type of the command's struct. */
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
	    offsetof(struct type, limits.soft), NULL, 0},                                            \
	OPTIONS_ESTIMATOR(type)

/* Dies with status 64 when a limit is no number of tokens, or the window is given in its own
 * share. */
void limits_check(const struct budget_limits *limits);

#endif
