#include "policy/budget/measure.h"

#include "base/bounded.h"

void
measure_init(struct measure *measure, struct estimator *estimator,
    const struct budget_limits *limits, const struct models *models, enum breakdown_key key)
{
	*measure = (struct measure){
	    .estimator = estimator, .limits = limits, .figures = BUDGET_FIGURES_INIT};
	session_model_init(&measure->named, models);
	walk_init(&measure->walk);
	breakdown_init(&measure->breakdown, key);
}

void
measure_free(struct measure *measure)
{
	walk_free(&measure->walk);
	fit_free(&measure->fit);
	session_model_free(&measure->named);
	breakdown_free(&measure->breakdown);
	buf_free(&measure->scratch);
}

/* Adds the tokens to the message's section, if it has a limit. A result has the section of its
 * call. */
static void
add_to_section(struct measure *measure, const struct message *message,
    const struct verdict *verdict, uint64_t tokens)
{
	const struct section_limits *limits = &measure->limits->sections;
	uint64_t *sum = measure->figures.section;
	unsigned section = verdict->section;

	if (limits->count == 0)
		return;
	if (section == 0)
		section =
		    section_limits_find(limits, message_section(message, &measure->scratch)) + 1;
	for (uint32_t i = 0; i < verdict->calls; i++)
		walk_note_section(&measure->walk, i, (uint8_t)section);
	if (section <= SECTION_LIMITS_MAX)
		sum[section - 1] = bounded_add(sum[section - 1], tokens);
}

bool
measure_add(
    struct measure *measure, const struct message *message, size_t line, const uint32_t *count)
{
	struct verdict verdict;
	uint64_t tokens;

	if (message->kind == RECORD_CONTEXT)
		measure->system = estimate_context(measure->estimator, message);
	if (message->kind == RECORD_BUDGET)
		fit_add(&measure->fit, message, 0);
	if (message->kind != RECORD_MESSAGE)
		return false;
	walk_add(&measure->walk, message, &verdict);
	measure->outside += verdict.outside;
	if (verdict.outside && !breakdown_has_all(&measure->breakdown))
		return false;
	tokens = count != NULL ? *count : estimate_message(measure->estimator, message);
	if (breakdown_has_all(&measure->breakdown))
		breakdown_add(&measure->breakdown, message, &measure->walk, &verdict, line, tokens);
	if (verdict.outside)
		return false;
	measure->sum = bounded_add(measure->sum, tokens);
	measure->last = tokens;
	if (message->role == ROLE_ASSISTANT)
		measure->prefix = measure->sum;
	fit_add(&measure->fit, message, tokens);
	session_model_note(&measure->named, message);
	budget_count(&measure->figures, message, &verdict);
	add_to_section(measure, message, &verdict, tokens);
	if (!breakdown_has_all(&measure->breakdown))
		breakdown_add(&measure->breakdown, message, &measure->walk, &verdict, line, tokens);
	return true;
}

enum fit_result
measure_budget(const struct measure *measure, struct budget *budget, struct estimator *fitted)
{
	enum fit_result result;

	*fitted = *measure->estimator;
	result = fit_apply(&measure->fit, fitted);
	*budget = (struct budget){.estimator = fitted->name,
	    .figures = measure->figures,
	    .session_model = measure->named.found};
	budget_count_sections(&budget->figures, measure->limits, fitted);
	budget_set(budget, measure->limits, estimate_cost(fitted, measure->sum), measure->system);
	return result;
}
