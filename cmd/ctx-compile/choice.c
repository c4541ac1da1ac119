#include "choice.h"

#include "base/diag.h"
#include "handed.h"

static bool
has_section(const struct profile *profile, const char *model)
{
	for (size_t i = 0; i < profile->count; i++)
		if (profile->rules[i].level == PROFILE_MODEL &&
		    str_eq(profile->rules[i].target, str_from(model)))
			return true;
	return false;
}

/* The value of the option in the last rule for all stages on that level; NULL without one. */
static const char *
find_said(const struct profile *profile, const char *name, enum profile_level level)
{
	const char *value = NULL;

	for (size_t i = 0; i < profile->count; i++) {
		const struct profile_rule *rule = &profile->rules[i];

		if (rule->kind == PROFILE_SHARED && rule->level == level &&
		    str_eq(profile_shared_name(rule), str_from(name)))
			value = strchr(rule->words[0], '=') + 1;
	}
	return value;
}

/* Takes the values of the lines on that level for options that were not given. */
static void
take_said(struct model_options *options, const struct profile *profile, enum profile_level level)
{
	if (options->name == NULL)
		options->name = find_said(profile, "model", level);
	if (options->provider == NULL)
		options->provider = find_said(profile, "provider", level);
	if (options->file == NULL)
		options->file = find_said(profile, "models-file", level);
}

void
choice_make(struct choice *choice, struct profile *profile, struct models *models,
    const struct model_options *options)
{
	struct model_options all = *options;
	struct model_choice *model = &choice->model;
	bool is_typed, is_own, is_known;

	take_said(&all, profile, PROFILE_COMMAND_LINE);
	is_typed = all.name != NULL;
	take_said(&all, profile, PROFILE_DEFAULTS);
	is_own = all.name != NULL && has_section(profile, all.name);
	model_choice_make(model, &all, models, is_own);
	is_known = model->model != NULL || all.name == NULL;
	choice->sections = (struct profile_plan_choice){.provider = model->provider,
	    .model = {str_from(all.name != NULL ? all.name : ""), model->name,
		model->model != NULL ? model->model->name : STR("")}};
	/* Sections may name another model that the tables know, in the place of this one. */
	if (!is_known)
		choice->sections.untold =
		    is_own || !is_typed ? PROFILE_DEFAULTS + 1 : PROFILE_LEVELS;
	/* The stages get the names on the command line, if they know them. */
	if (options->file != NULL)
		profile_add_shared(profile, "models-file", options->file);
	if (options->provider != NULL)
		profile_add_shared(profile, "provider", options->provider);
	if (options->name != NULL && is_known)
		profile_add_shared(profile, "model", options->name);
}

static bool
has_option(const struct profile_plan_stage *stage, const char *name, char letter)
{
	for (unsigned i = 1; i < stage->count; i++) {
		const char *word = stage->words[i];
		size_t len = strlen(name);

		if (strncmp(word, name, len) == 0 && (word[len] == '\0' || word[len] == '='))
			return true;
		if (letter != '\0' && word[0] == '-' && word[1] == letter)
			return true;
	}
	return false;
}

void
choice_say_unknown(const struct choice *choice, const struct profile_plan *plan)
{
	bool is_wanted = false, has_window = true;

	for (unsigned i = 0; i < plan->count; i++) {
		const struct profile_plan_stage *stage = &plan->stage[i];

		if (!stage->is_on || !handed_is_of("model", stage->words[0]) ||
		    has_option(stage, "--model", 'm'))
			continue;
		is_wanted = true;
		has_window = has_window &&
		    (has_option(stage, "--window", 'w') || has_option(stage, "--limit", '\0'));
	}
	if (is_wanted)
		model_choice_say_unknown(&choice->model, has_window);
}

/* Warns of the section of the rule, if its name may be a slip. */
static void
check_section(const struct profile_rule *rule, const struct models *models)
{
	struct str near = STR("");
	size_t matches;

	if (rule->level == PROFILE_PROVIDER)
		models_has_provider(models, rule->target, &near);
	else if (models_find(models, STR(""), rule->target, &near, &matches) != NULL || matches > 0)
		return;
	if (near.len > 0)
		diag_warn("%s: no table has the %s '%.*s', did you mean '%.*s'?", rule->file,
		    rule->level == PROFILE_PROVIDER ? "provider" : "model", STR_ARG(rule->target),
		    STR_ARG(near));
}

void
choice_check_sections(const struct profile *profile, const struct models *models)
{
	const struct profile_rule *last = NULL;

	for (size_t i = 0; i < profile->count; i++) {
		const struct profile_rule *rule = &profile->rules[i];

		if (rule->level != PROFILE_PROVIDER && rule->level != PROFILE_MODEL)
			continue;
		if (last == NULL || last->level != rule->level ||
		    !str_eq(last->target, rule->target))
			check_section(rule, models);
		last = rule;
	}
}
