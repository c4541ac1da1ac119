/*
 * ctx-isolate keeps old tool traces from polluting the main thread. The transparent policy is the
 * identity and holds nothing; boundary and mask hold the session.
 */
#include "data/held.h"
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

/* A stage. */
struct isolation {
	struct held held;
	const struct options *options;
	struct estimator estimator;
};

static void
end(struct stage *stage)
{
	struct isolation *isolation = (struct isolation *)stage;
	const struct options *options = isolation->options;
	struct estimator *estimator = &isolation->estimator;
	struct session *session = &isolation->held.session;
	struct isolate_options how = {options->error_tokens, options->min_tokens,
	    options->keep_results, STR("")};

	if (!held_finish(&isolation->held))
		return;
	if (options->placeholder != NULL)
		how.placeholder = str_from(options->placeholder);
	limits_fit(estimator, &options->estimator, session);
	how.error_tokens = estimate_count(estimator, how.error_tokens);
	how.min_tokens = estimate_count(estimator, how.min_tokens);
	if (options->policy == POLICY_BOUNDARY)
		isolate_boundary(session, &how, estimator);
	else
		isolate_mask(session, &how, estimator);
	if (!fault_is_set(stage->fault))
		held_emit_all(&isolation->held);
}

int
main(int argc, char **argv)
{
	struct options options = {.error_tokens = 500, .min_tokens = 200, .keep_results = 3};
	int first = options_parse(&command, argc, argv, &options), status;
	struct isolation isolation = {.options = &options};
	struct run run;

	run_open(&run, &options.common, argv + first, argc - first);
	held_init(&isolation.held, end);
	if (options.policy == POLICY_TRANSPARENT) { /* the identity: no stage but the sink */
		run_chain(&run, (struct stage *[]){NULL});
	} else {
		run_set_current(&isolation.held.session, options.execution);
		limits_open_estimator(&isolation.estimator, &options.estimator, &run.fault);
		limits_check_outputs(&isolation.estimator, &options.common);
		run_chain(&run, (struct stage *[]){&isolation.held.stage, NULL});
		estimator_close(&isolation.estimator);
	}
	status = run_close(&run);
	held_free(&isolation.held);
	return status;
}
