#include "choice.h"

#include "base/diag.h"

/* Whether the profile has a section for the model. */
static bool
has_section(const struct profile *profile, const char *model)
{
	for (size_t i = 0; i < profile->count; i++)
		if (profile->rules[i].level == PROFILE_MODEL &&
		    str_eq(profile->rules[i].target, str_from(model)))
			return true;
	return false;
}

static _Noreturn void
fail_unknown(const char *name, size_t matches, struct str near)
{
	if (matches > 1)
		options_fail(
		    "model '%s' may be any of %zu, such as '%.*s'", name, matches, STR_ARG(near));
	if (near.len > 0)
		options_fail("unknown model '%s', did you mean '%.*s'?", name, STR_ARG(near));
	options_fail("unknown model '%s'; ctx-budget --models prints what there is, and a profile "
		     "may have a section for others",
	    name);
}

bool
choice_make(struct profile_plan_choice *choice, const struct profile *profile,
    struct models *models, const char *provider, const char *model, const char *models_file)
{
	struct fault fault = FAULT_INIT;
	const struct model *found;
	const char *slash = model != NULL ? strchr(model, '/') : NULL;
	struct str near = STR("");
	size_t matches = 0;

	*choice = (struct profile_plan_choice){.provider = STR("")};
	if (models_file != NULL && !models_read(models, models_file, &fault))
		diag_die(fault.status, "%.*s", STR_ARG(buf_str(&fault.text)));
	if (provider != NULL && !models_has_provider(models, str_from(provider), &near))
		options_fail(
		    "unknown provider '%s'; ctx-budget --models prints what there is", provider);
	choice->provider = str_from(provider != NULL ? provider : "");
	if (model == NULL)
		return true;
	choice->model[0] = str_from(model);
	found = models_find(models, choice->provider, str_from(model), &near, &matches);
	if (found == NULL && slash != NULL &&
	    models_has_provider(models, str_of(model, (size_t)(slash - model)), &near)) {
		if (provider == NULL)
			choice->provider = str_of(model, (size_t)(slash - model));
		choice->model[1] = str_from(slash + 1);
		found = models_find(models, choice->provider, choice->model[1], &near, &matches);
		if (found != NULL)
			choice->model[2] = found->name;
		return true;
	}
	if (found == NULL && provider == NULL && !has_section(profile, model))
		fail_unknown(model, matches, near);
	if (found == NULL)
		return provider != NULL;
	choice->model[1] = found->name;
	if (provider == NULL)
		choice->provider = found->provider;
	return true;
}
