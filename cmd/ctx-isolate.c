/*
 * ctx-isolate keeps old tool traces from polluting the main thread. The transparent policy is the
 * identity and holds nothing; boundary and mask hold the session.
 */
#include "face/filter.h"
#include "face/limits.h"
#include "face/run.h"
#include "policy/isolate.h"

enum policy { POLICY_BOUNDARY, POLICY_MASK, POLICY_TRANSPARENT };

struct options {
	struct common_options common;
	int policy;
	const char *execution;
	uint64_t error_tokens;
	uint64_t min_tokens;
	uint64_t keep_results;
	const char *placeholder;
	struct estimator_options estimator;
};

static const char *const policies[] = {"boundary", "mask", "transparent", NULL};

static const struct option table[] = {
    {"policy", 0, "POLICY", "boundary (default), mask or transparent", OPTION_CHOICE,
	offsetof(struct options, policy), policies, 0},
    {"execution", 0, "ID", "the current execution: auto (default), last, none or an id",
	OPTION_STRING, offsetof(struct options, execution), NULL, 0},
    {"error-tokens", 0, "N", "what open error text is cut to (500)", OPTION_COUNT,
	offsetof(struct options, error_tokens), NULL, 0},
    {"min-tokens", 0, "N", "mask: results up to this size stay (200)", OPTION_COUNT,
	offsetof(struct options, min_tokens), NULL, 0},
    {"keep-results", 0, "N", "mask: the newest results stay (3)", OPTION_COUNT,
	offsetof(struct options, keep_results), NULL, 0},
    {"placeholder", 0, "TEXT", "mask: what a masked result says", OPTION_STRING,
	offsetof(struct options, placeholder), NULL, 0},
    OPTIONS_ESTIMATOR(options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-isolate", "[option]... [file]...",
    "Keep old tool traces from polluting the main thread.", table};

static void
isolate(struct filter *filter, const struct options *options, struct session *session)
{
	struct isolate_options how = {options->error_tokens, options->min_tokens,
	    options->keep_results, STR("")};
	struct fault fault = FAULT_INIT;
	struct estimator estimator;

	if (options->placeholder != NULL)
		how.placeholder = str_from(options->placeholder);
	limits_open_estimator(&estimator, &options->estimator, &fault);
	filter_hold(filter, session, filter_current(options->execution), options->execution);
	limits_fit(&estimator, &options->estimator, session);
	how.error_tokens = estimate_count(&estimator, how.error_tokens);
	how.min_tokens = estimate_count(&estimator, how.min_tokens);
	if (options->policy == POLICY_BOUNDARY)
		isolate_boundary(session, &how, &estimator);
	else
		isolate_mask(session, &how, &estimator);
	limits_check_fault(&fault);
	estimator_close(&estimator);
	filter_write_all(filter, session);
}

/* The identity: no stage but the sink. */
static int
pass(const struct options *options, char *const *operand, int count)
{
	struct run run;

	run_open(&run, &options->common, operand, count);
	run_chain(&run, (struct stage *[]){NULL});
	return run_close(&run);
}

int
main(int argc, char **argv)
{
	struct options options = {.error_tokens = 500, .min_tokens = 200, .keep_results = 3};
	int first = options_parse(&command, argc, argv, &options);
	struct session session;
	struct filter filter;
	int status;

	if (options.policy == POLICY_TRANSPARENT)
		return pass(&options, argv + first, argc - first);
	filter_open(&filter, &options.common, argv + first, argc - first);
	session_init(&session);
	isolate(&filter, &options, &session);
	status = filter_close(&filter);
	session_free(&session);
	return status;
}
