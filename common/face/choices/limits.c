#include "face/choices/limits.h"

#include "base/diag.h"
#include "face/fault_die.h"
#include "face/input/files.h"
#include "face/choices/select_option.h"

static void
init_estimator(struct estimator *estimator, const struct estimator_options *options)
{
	const char *name = options->name != NULL ? options->name : "o200k_base";

	if (!estimator_init(estimator, name))
		options_fail("bad value '%s' of --estimator, expected o200k_base, cl100k_base, "
			     "bytes/4, usage, calibrated or cmd:COMMAND",
		    name);
	if (options->timeout_given)
		estimator->command_timeout = options->timeout;
}

enum estimator_kind
limits_check_estimator(const struct estimator_options *options)
{
	struct estimator estimator;

	init_estimator(&estimator, options);
	return estimator.kind;
}

uint64_t
limits_command_timeout(const struct estimator_options *options)
{
	struct estimator estimator;

	init_estimator(&estimator, options);
	return estimator.command_timeout;
}

void
limits_open_estimator(struct estimator *estimator, const struct estimator_options *options,
    const struct common_options *common, struct fault *fault)
{
	init_estimator(estimator, options);
	if (options->image_given)
		estimator->image_tokens = options->image_tokens;
	estimator_open(estimator, fault);
	fault_check(fault);
	if (estimator->counter != NULL)
		files_check_read(common, &tokens_vocabulary(estimator->counter)->st);
}

void
limits_open_for_messages(struct estimator *estimator, bool is_needed,
    const struct estimator_options *options, const struct common_options *common,
    struct fault *fault)
{
	limits_check_estimator(options);
	if (!is_needed)
		return;
	limits_open_estimator(estimator, options, common, fault);
	if (estimator_learns(estimator))
		options_fail(
		    "--estimator %s counts whole sessions, not single messages", options->name);
}

void
limits_warn_unfitted(const struct estimator_options *options, enum fit_result result,
    const struct estimator *estimator, uint64_t points)
{
	if (result == FIT_FOREIGN)
		diag_warn("the reported usage is of more than this stream has: counted with %s",
		    estimator->name);
	else if (result == FIT_TOO_FEW)
		diag_warn("%ju responses report their usage, too few for '%s': counted with %s",
		    (uintmax_t)points, options->name, estimator->name);
}

void
limits_fit(
    struct estimator *estimator, const struct estimator_options *options, struct session *session)
{
	struct fit fit = FIT_INIT;

	enum fit_result result;
	uint64_t sum;

	if (!estimator_learns(estimator))
		return;
	sum = estimate_session(estimator, session);
	fit_session(&fit, session);
	result = fit_apply_to(&fit, estimator, sum);
	limits_warn_unfitted(options, result, estimator, fit_points(&fit));
	fit_free(&fit);
}

const struct model *
limits_choose_model(const struct model_options *options, struct models *models,
    struct budget_limits *limits, struct estimator_options *estimator)
{
	struct model_choice choice;
	const struct model *model;

	model_choice_make(&choice, options, models, false);
	model_choice_say_unknown(
	    &choice, limits->window.unit != SIZE_UNSET || limits->limit.unit != SIZE_UNSET);
	model = choice.model;
	if (model == NULL)
		return NULL;
	if (limits->window.unit == SIZE_UNSET)
		limits->window = (struct size){SIZE_PLAIN, model->window};
	if (limits->reserve_output.unit == SIZE_UNSET)
		limits->reserve_output =
		    (struct size){SIZE_PLAIN, model_reserve(model, limits->window.value)};
	if (estimator->name == NULL)
		estimator->name = model_estimator(model);
	return model;
}

const struct models *
limits_session_models(const struct model_options *options, const struct models *models,
    const struct budget_limits *limits)
{
	bool is_said = options->name != NULL || options->provider != NULL ||
	    limits->window.unit != SIZE_UNSET || limits->limit.unit != SIZE_UNSET;

	return is_said ? NULL : models;
}

static struct selector *
parse_when(struct budget_limits *limits)
{
	struct selector_error error = {BUF_INIT, 0};
	struct selector *when = budget_parse_when(limits->when, &limits->most[BUDGET_WHEN], &error);

	if (when == NULL)
		select_option_fail("when", limits->when, &error);
	limits->has[BUDGET_WHEN] = true;
	return when;
}

/* Reads NAME=TOKENS, which parts at the last "=". */
static void
parse_section(struct budget_limits *limits, const char *text)
{
	const char *mark = strrchr(text, '=');
	uint64_t most;

	if (mark == NULL || mark == text || !number_parse(mark + 1, &most))
		options_fail("bad value '%s' of --max-section, expected a section and a number of "
			     "tokens such as buffer=8k",
		    text);
	if (!section_limits_set(&limits->sections, str_of(text, (size_t)(mark - text)), most))
		options_fail("more than %d sections in --max-section", SECTION_LIMITS_MAX);
	limits->has[BUDGET_SECTION] = true;
}

struct selector *
limits_check(struct budget_limits *limits, const struct option_list *max_section)
{
	for (unsigned i = 0; i < max_section->count; i++)
		parse_section(limits, max_section->item[i]);
	return limits->when != NULL ? parse_when(limits) : NULL;
}
