#include "policy/isolate/isolation_stage.h"

#include <stdlib.h>

#include "data/change.h"
#include "policy/isolate/redone.h"

#define ROW(name, policy) policy,

const struct isolation_policy *const isolation_stage_policies[] = {ISOLATION_STAGE_POLICIES(ROW)};

/* Converts the limits to tokens of the estimator. */
static void
set_limits(struct isolation *isolation)
{
	struct isolation_options *options = &isolation->options;

	options->error_tokens = estimate_count(isolation->estimator, options->error_tokens);
	options->min_tokens = estimate_count(isolation->estimator, options->min_tokens);
	options->keep_tokens = estimate_count(isolation->estimator, options->keep_tokens);
	options->min_gain = estimate_count(isolation->estimator, options->min_gain);
}

/* Learns from the usage that the whole session reports. */
static void
learn(struct isolation *isolation)
{
	struct fit fit = FIT_INIT;

	estimate_session(isolation->estimator, isolation_session(isolation));
	fit_session(&fit, isolation_session(isolation));
	isolation->fitted = fit_apply(&fit, isolation->estimator);
	isolation->points = fit_points(&fit);
	fit_free(&fit);
	set_limits(isolation);
}

/* Finds what only the whole session tells. */
static void
prepare(struct window *window)
{
	struct isolation *isolation = (struct isolation *)window;

	if (estimator_learns(isolation->estimator))
		learn(isolation);
	if (isolation->options.arguments == ISOLATION_ARGUMENTS_REDONE)
		isolation->is_redone = redone_find(&window->held.session);
}

static bool
decide(struct window *window, uint32_t index)
{
	struct isolation *isolation = (struct isolation *)window;
	bool is_decided = isolation->policy->decide(isolation, index);

	if (is_decided) {
		isolation->asked = NULL;
		change_forget(isolation_session(isolation), index);
	}
	return is_decided;
}

void
isolation_stage_init(struct isolation *isolation, const struct isolation_policy *policy,
    const struct isolation_options *options, struct estimator *estimator)
{
	*isolation =
	    (struct isolation){.policy = policy, .options = *options, .estimator = estimator};
	window_init(&isolation->window, decide);
	if (estimator_learns(isolation->estimator) ||
	    options->arguments == ISOLATION_ARGUMENTS_REDONE)
		isolation->window.prepare = prepare;
	if (!estimator_learns(isolation->estimator))
		set_limits(isolation);
}

void
isolation_stage_free(struct isolation *isolation)
{
	window_free(&isolation->window);
	free(isolation->is_redone);
	free(isolation->group);
	resolutions_free(&isolation->resolutions);
}
