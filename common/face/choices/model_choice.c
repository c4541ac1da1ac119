#include "face/choices/model_choice.h"

#include "base/diag.h"
#include "face/fault_die.h"

static void
check_provider(const struct models *models, struct str provider)
{
	struct str near;

	if (models_has_provider(models, provider, &near))
		return;
	if (near.len == 0)
		options_fail("unknown provider '%.*s'; ctx-budget --models prints what there is",
		    STR_ARG(provider));
	options_fail(
	    "unknown provider '%.*s', did you mean '%.*s'?", STR_ARG(provider), STR_ARG(near));
}

/* Whether a model's own name begins with the name; of any provider, if provider is empty. */
static bool
has_model(const struct models *models, struct str provider, struct str name)
{
	struct str near;
	size_t matches;

	return models_find(models, provider, name, &near, &matches) != NULL || matches > 0;
}

/* Splits PROVIDER/NAME. With --provider, or if the name is the caller's own, the part before the
 * slash is split off only if it is that provider, or a known one. */
static void
split_name(struct model_choice *choice, const struct models *models, bool is_own)
{
	const char *slash = memchr(choice->name.ptr, '/', choice->name.len);
	struct str head, near;

	if (slash == NULL || has_model(models, choice->provider, choice->name))
		return;
	head = str_of(choice->name.ptr, (size_t)(slash - choice->name.ptr));
	if (choice->provider.len > 0 ? !str_eq(head, choice->provider) :
				       is_own && !models_has_provider(models, head, &near))
		return;
	check_provider(models, head);
	choice->provider = head;
	choice->name = str_of(slash + 1, choice->name.len - head.len - 1);
	if (choice->name.len == 0)
		options_fail("expected a name after '%.*s/'", STR_ARG(head));
}

/* The row for the other models of the provider, under the name of the model. */
static const struct model *
find_others(struct models *models, struct str provider, struct str name)
{
	const struct model *others = models_find_others(models, provider);
	struct model *model;

	if (others == NULL)
		return NULL;
	model = arena_alloc(&models->arena, sizeof *model);
	*model = *others;
	model->name = name;
	return model;
}

static void
find_model(struct model_choice *choice, struct models *models, bool is_own)
{
	size_t matches;

	choice->model =
	    models_find(models, choice->provider, choice->name, &choice->near, &matches);
	if (choice->model != NULL)
		choice->provider = choice->model->provider;
	else if (choice->provider.len == 0 ? !is_own : matches > 1) {
		if (matches > 1)
			options_fail("model '%.*s' may be any of %zu, such as '%.*s'",
			    STR_ARG(choice->name), matches, STR_ARG(choice->near));
		if (choice->near.len > 0)
			options_fail("unknown model '%.*s', did you mean '%.*s'?",
			    STR_ARG(choice->name), STR_ARG(choice->near));
		options_fail("unknown model '%.*s'; ctx-budget --models prints what there is",
		    STR_ARG(choice->name));
	} else if (choice->provider.len > 0) {
		choice->model = find_others(models, choice->provider, choice->name);
	}
}

void
model_choice_make(struct model_choice *choice, const struct model_options *options,
    struct models *models, bool is_own)
{
	struct fault fault = FAULT_INIT;

	*choice = (struct model_choice){.provider = STR(""), .name = STR(""), .near = STR("")};
	if (options->file != NULL && !models_read(models, options->file, &fault))
		fault_die(&fault);
	if (options->provider != NULL) {
		choice->provider = str_from(options->provider);
		check_provider(models, choice->provider);
	}
	if (options->name == NULL) {
		if (choice->provider.len > 0)
			choice->model = models_find_others(models, choice->provider);
		return;
	}
	choice->name = str_from(options->name);
	split_name(choice, models, is_own);
	find_model(choice, models, is_own);
}

void
model_choice_say_unknown(const struct model_choice *choice, bool has_window)
{
	struct buf text = BUF_INIT;

	if (choice->model != NULL || choice->name.len == 0 || choice->provider.len == 0 ||
	    (has_window && choice->near.len == 0))
		return;
	buf_add_fmt(&text, "unknown model '%.*s' of %.*s", STR_ARG(choice->name),
	    STR_ARG(choice->provider));
	if (choice->near.len > 0)
		buf_add_fmt(&text, " (did you mean '%.*s'?)", STR_ARG(choice->near));
	if (!has_window)
		buf_add_str(&text,
		    STR(": its window is taken for 128k; --window or a row '" MODELS_OTHERS
			"' of --models-file says otherwise"));
	diag_warn("%.*s", STR_ARG(buf_str(&text)));
	buf_free(&text);
}
