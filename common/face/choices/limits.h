#ifndef CHOICES_LIMITS_H
#define CHOICES_LIMITS_H

/*
 * The options of ctx-budget and ctx-compact for the estimator and for the limits of a budget.
 */

#include "face/choices/model_choice.h"
#include "policy/budget/budget.h"
#include "tokens/fit.h"

struct estimator_options {
	const char *name;
	uint64_t image_tokens;
	bool image_given;
	uint64_t timeout; /* seconds, where timeout_given */
	bool timeout_given;
};

/* Rows of an option table (face/options/options.h). The command's struct has a member estimator, a
 * struct estimator_options. */
#define OPTIONS_ESTIMATOR(ROW, type) \
	OPTIONS_ESTIMATOR_OF(ROW, type, ", bytes/4, usage, calibrated or cmd:COMMAND")

/* The same for a command that counts messages and not whole sessions. */
#define OPTIONS_MESSAGE_ESTIMATOR(ROW, type) \
	OPTIONS_ESTIMATOR_OF(ROW, type, ", bytes/4 or cmd:COMMAND")

/* The same, with the names that the command takes beside the encodings. */
#define OPTIONS_ESTIMATOR_OF(ROW, type, names) \
	ROW(type, "estimator", 0, "NAME", \
	    "how tokens are counted: o200k_base (default), cl100k_base" names, OPTION_STRING, \
	    estimator.name, ), \
	    ROW(type, "image-tokens", 0, "N", "tokens of an image (765)", OPTION_COUNT, \
		estimator.image_tokens, NULL, offsetof(struct type, estimator.image_given)), \
	    ROW(type, "command-timeout", 0, "TIME", \
		"how long cmd: may read and write nothing (60s)", OPTION_TIME, estimator.timeout, \
		NULL, offsetof(struct type, estimator.timeout_given))

/* The same. The command's struct has a member limits, a struct budget_limits. */
#define OPTIONS_LIMITS(ROW, type) \
	ROW(type, "window", 'w', "TOKENS", "the context window (of the session's model, or 128k)", \
	    OPTION_WINDOW, limits.window, ), \
	    ROW(type, "limit", 0, "TOKENS", "compact over this, down to half of it", \
		OPTION_WINDOW, limits.limit, .not_with = "window reserve-output headroom soft"), \
	    ROW(type, "soft", 0, "TOKENS", "compact when this much is used (80%)", OPTION_TOKENS, \
		limits.soft, ), \
	    ROW(type, "reserve-output", 0, "TOKENS", \
		"kept for the answer (16k, at most a quarter)", OPTION_TOKENS, \
		limits.reserve_output, ), \
	    ROW(type, "reserve-system", 0, "TOKENS", \
		"kept for prompt and tools (the context record's count)", OPTION_TOKENS, \
		limits.reserve_system, ), \
	    ROW(type, "headroom", 0, "TOKENS", "compact when less remains (2k, at most 1/32)", \
		OPTION_TOKENS, limits.headroom, )

/* The same. The command's struct has a member target, a struct size. */
#define OPTION_TARGET(ROW, type) \
	ROW(type, "target", 0, "TOKENS", "the size to come down to (50%)", OPTION_TOKENS, target, )

#define OPTION_TRIGGER(type, name, help, reason) \
	{ \
		name, 0, "N", help, OPTION_COUNT, offsetof(struct type, limits.most[reason]), \
		    NULL, offsetof(struct type, limits.has[reason]) \
	}

/* Rows of an option table. The command's struct has a member limits, a struct budget_limits, and a
 * member max_section, a struct option_list. */
#define OPTIONS_TRIGGERS(type) \
	OPTION_TRIGGER(type, "max-tool-results", \
	    "compact when there are more uncompacted tool results", BUDGET_TOOL_RESULTS), \
	    OPTION_TRIGGER( \
		type, "max-messages", "compact when there are more messages", BUDGET_MESSAGES), \
	    OPTION_TRIGGER(type, "max-turns", "compact when there are more turns", BUDGET_TURNS), \
	    OPTION_TRIGGER(type, "max-steps", "compact when the newest execution has more steps", \
		BUDGET_STEPS), \
	    {"max-age", 0, "TIME", "compact when what may go spans more time: 90s, 30m, 2h or 1d", \
		OPTION_TIME, offsetof(struct type, limits.most[BUDGET_AGE]), NULL, \
		offsetof(struct type, limits.has[BUDGET_AGE])}, \
	    {"when", 0, "SELECTOR>N", "compact when more than N messages are selected", \
		OPTION_STRING, offsetof(struct type, limits.when)}, \
	{ \
		"max-section", 0, "NAME=TOKENS", "compact when that section has more tokens", \
		    OPTION_LIST, offsetof(struct type, max_section) \
	}

/* The kind of the estimator that the options name. Ends the program with status 64 when it is
 * unknown. */
enum estimator_kind limits_check_estimator(const struct estimator_options *options);

/* The value of --command-timeout in seconds; 0: no limit. Ends the program with status 64 when the
 * options are wrong. */
uint64_t limits_command_timeout(const struct estimator_options *options);

/* Opens the estimator that the options name; close it with estimator_close. Ends the program with
 * status 64 when the name is unknown, and when an output is the vocabulary, with 66 when the
 * vocabulary is missing, and with 78 when it is malformed. fault must outlive the estimator; a
 * count that fails sets it. */
void limits_open_estimator(struct estimator *estimator, const struct estimator_options *options,
    const struct common_options *common, struct fault *fault);

/* Opens the estimator for a command that counts single messages, if is_needed; always checks the
 * name. Also ends the program with status 64 when the estimator counts whole sessions only. */
void limits_open_for_messages(struct estimator *estimator, bool is_needed,
    const struct estimator_options *options, const struct common_options *common,
    struct fault *fault);

/* Fits an estimator that learns from the session (usage, calibrated), with a warning when the
 * session has too little to learn from. Other estimators stay as they are. */
void limits_fit(
    struct estimator *estimator, const struct estimator_options *options, struct session *session);

/* Warns when the estimator could not be fitted as the options ask, and names the estimator used
 * instead. For a command that has fitted the estimator without limits_fit. points is the number of
 * responses that report usage. */
void limits_warn_unfitted(const struct estimator_options *options, enum fit_result result,
    const struct estimator *estimator, uint64_t points);

/* Reads the limits that options give as text; max_section is the list of --max-section. Returns the
 * selector of --when, or NULL. Ends the program with status 64 when a limit is not in tokens, when
 * the window or the limit is given as a share of itself, when the limit is not the only one, and
 * when a text cannot be read. */
struct selector *limits_check(struct budget_limits *limits, const struct option_list *max_section);

/* Reads the models of the user, and takes window, output reserve and estimator of the model that
 * the options name, where no option says otherwise. Warns of an unknown model of a known provider.
 * Returns the model, or NULL when none is named or known. Ends the program as model_choice_make
 * does. */
const struct model *limits_choose_model(const struct model_options *options, struct models *models,
    struct budget_limits *limits, struct estimator_options *estimator);

/* The table by which the session's own model gives the window (policy/budget/session_model.h), or
 * NULL if an option gives the window. Call it after limits_choose_model. */
const struct models *limits_session_models(const struct model_options *options,
    const struct models *models, const struct budget_limits *limits);

#endif
