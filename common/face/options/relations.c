#include "face/options/relations.h"

#include "face/options/common_options.h"
#include "face/options/words.h"

static bool
is_given(const struct command *command, const struct option *option, const void *values)
{
	const struct common_options *common = values;
	size_t row = (size_t)(option - command->options);

	return (common->given[row / 64] >> row % 64 & 1) != 0;
}

static bool
has_value(const struct option *option, struct str value, const void *values)
{
	int chosen = *(const int *)((const char *)values + option->offset);

	for (int i = 0; option->choices[i] != NULL; i++)
		if (i == chosen)
			return str_eq(str_from(option->choices[i]), value);
	return false;
}

/* Whether the option that a term of a relation names is given, or has the value. */
static bool
holds(const struct command *command, struct str term, const void *values)
{
	const char *mark = memchr(term.ptr, '=', term.len);
	size_t len = mark != NULL ? (size_t)(mark - term.ptr) : term.len;
	const struct option *option = words_find(command->options, term.ptr, len);

	if (option == NULL)
		return false;
	if (mark != NULL)
		return has_value(option, str_of(mark + 1, term.len - len - 1), values);
	return is_given(command, option, values);
}

/* Finds the first term of the list that holds. Returns false when none does. */
static bool
find(const struct command *command, const char *list, const void *values, struct str *term)
{
	while (str_take_word(&list, ' ', term))
		if (term->len > 0 && holds(command, *term, values))
			return true;
	return false;
}

static void
add_combined(struct buf *wrong, const struct option *option, struct str other)
{
	buf_add_fmt(wrong, "--%s cannot be combined with --%.*s", option->name, STR_ARG(other));
}

static void
add_required(struct buf *wrong, const struct option *option)
{
	const char *list = option->requires;
	struct str term;

	buf_add_fmt(wrong, "--%s requires ", option->name);
	for (unsigned i = 0; str_take_word(&list, ' ', &term); i++)
		buf_add_fmt(wrong, "%s--%.*s",
		    i == 0           ? "" :
			list != NULL ? ", " :
				       " or ",
		    STR_ARG(term));
}

static bool
is_among(const char *name, const char *list)
{
	struct str term;

	while (str_take_word(&list, ' ', &term))
		if (str_eq(term, str_from(name)))
			return true;
	return false;
}

/* Finds a given option that is not in the list, nor the option itself. */
static const struct option *
find_other(const struct command *command, const struct option *option, const void *values)
{
	for (const struct option *o = command->options; o->name != NULL; o++)
		if (o != option && is_given(command, o, values) &&
		    !is_among(o->name, option->only_with))
			return o;
	return NULL;
}

bool
relations_hold(const struct command *command, const void *values, struct buf *wrong)
{
	struct str term;

	for (const struct option *o = command->options; o->name != NULL; o++) {
		const struct option *other = NULL;

		if (!is_given(command, o, values))
			continue;
		if (o->requires != NULL && !find(command, o->requires, values, &term))
			add_required(wrong, o);
		else if (o->not_with != NULL && find(command, o->not_with, values, &term))
			add_combined(wrong, o, term);
		else if (o->only_with != NULL)
			other = find_other(command, o, values);
		if (other != NULL)
			add_combined(wrong, o, str_from(other->name));
		if (wrong->len > 0)
			return false;
	}
	return true;
}
