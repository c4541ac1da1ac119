#include "face/limits.h"

#include "base/diag.h"
#include "face/files.h"
#include "tokens/fit.h"

static void
init_estimator(struct estimator *estimator, const struct estimator_options *options)
{
	const char *name = options->name != NULL ? options->name : "o200k_base";

	if (!estimator_init(estimator, name))
		options_fail("bad value '%s' of --estimator, expected o200k_base, cl100k_base, "
			     "bytes/4, usage, calibrated or cmd:COMMAND",
		    name);
	if (options->timeout != NULL &&
	    !number_parse_time(options->timeout, &estimator->command_timeout))
		options_fail(
		    "bad value '%s' of --command-timeout, expected a time such as 90s or 5m",
		    options->timeout);
}

void
limits_check_estimator(const struct estimator_options *options)
{
	struct estimator estimator;

	init_estimator(&estimator, options);
}

void
limits_open_estimator(
    struct estimator *estimator, const struct estimator_options *options, struct fault *fault)
{
	init_estimator(estimator, options);
	if (options->image_given)
		estimator->image_tokens = options->image_tokens;
	estimator_open(estimator, fault);
	limits_check_fault(fault);
}

void
limits_check_outputs(const struct estimator *estimator, const struct common_options *options)
{
	const struct vocabulary *vocabulary;

	if (estimator->counter == NULL)
		return;
	vocabulary = tokens_vocabulary(estimator->counter);
	files_check_read(options,
	    &(struct stat){
		.st_mode = S_IFREG, .st_dev = vocabulary->dev, .st_ino = vocabulary->ino});
}

void
limits_check_fault(const struct fault *fault)
{
	if (fault_is_set(fault))
		diag_die(fault->status, "%.*s", STR_ARG(fault->text));
}

void
limits_warn_unfitted(const struct estimator_options *options, uint64_t points)
{
	diag_warn("%ju responses report their usage, too few for '%s': counted with o200k_base",
	    (uintmax_t)points, options->name);
}

void
limits_fit(
    struct estimator *estimator, const struct estimator_options *options, struct session *session)
{
	struct fit fit = FIT_INIT;

	if (estimator->kind != ESTIMATOR_USAGE && estimator->kind != ESTIMATOR_CALIBRATED)
		return;
	estimate_session(estimator, session);
	fit_session(&fit, session);
	if (!fit_apply(&fit, estimator))
		limits_warn_unfitted(options, fit.points);
	fit_free(&fit);
}

static void
check(struct size size, const char *name)
{
	if (size.unit == SIZE_MESSAGES || size.unit == SIZE_TURNS)
		options_fail("bad value of --%s, expected a number of tokens", name);
}

void
limits_check(const struct budget_limits *limits)
{
	if (limits->window.unit != SIZE_UNSET &&
	    (limits->window.unit != SIZE_PLAIN || limits->window.value == 0))
		options_fail("bad value of --window, expected a number of tokens such as 200k");
	check(limits->reserve_output, "reserve-output");
	check(limits->reserve_system, "reserve-system");
	check(limits->headroom, "headroom");
	check(limits->soft, "soft");
}
