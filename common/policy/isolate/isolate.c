#include "policy/isolate/isolate.h"

#include "policy/isolate/boundary.h"
#include "policy/isolate/mask.h"

/* Converts the limits to tokens of the estimator. */
static void
set_limits(struct isolation *isolation)
{
	struct isolation_options *options = &isolation->options;

	options->error_tokens = estimate_count(isolation->estimator, options->error_tokens);
	options->min_tokens = estimate_count(isolation->estimator, options->min_tokens);
	options->keep_tokens = estimate_count(isolation->estimator, options->keep_tokens);
}

/* Learns from the usage that the whole session reports. */
static void
prepare(struct window *window)
{
	struct isolation *isolation = (struct isolation *)window;
	struct fit fit = FIT_INIT;

	estimate_session(isolation->estimator, &window->held.session);
	fit_session(&fit, &window->held.session);
	isolation->fitted = fit_apply(&fit, isolation->estimator);
	isolation->points = fit_points(&fit);
	fit_free(&fit);
	set_limits(isolation);
}

void
isolate_init(struct isolation *isolation, enum isolate_policy policy,
    const struct isolation_options *options, struct estimator *estimator)
{
	*isolation = (struct isolation){.options = *options, .estimator = estimator};
	window_init(&isolation->window, policy == ISOLATE_MASK ? mask_decide : boundary_decide);
	if (estimator->kind == ESTIMATOR_USAGE || estimator->kind == ESTIMATOR_CALIBRATED)
		isolation->window.prepare = prepare;
	else
		set_limits(isolation);
}

void
isolate_free(struct isolation *isolation)
{
	window_free(&isolation->window);
}
