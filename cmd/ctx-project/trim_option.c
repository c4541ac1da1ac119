#include "trim_option.h"

#include "face/choices/select_option.h"

/* In the order of enum partial. */
const char *const trim_option_partial[] = {"none", "head", "tail", NULL};

static void
parse_roles(const char *list, const char *option, unsigned *roles)
{
	if (list != NULL && !trim_parse_roles(list, roles))
		options_fail(
		    "bad value '%s' of --%s, expected roles such as user,assistant", list, option);
}

void
trim_option_parse(const struct trim_option_values *options, struct trim *trim)
{
	struct selector_error error = {BUF_INIT, 0};

	trim->from_start = options->first.unit != SIZE_UNSET;
	trim->size = trim->from_start ? options->first : options->last;
	trim->partial = (enum partial)options->partial;
	if (trim->partial != PARTIAL_NONE && trim->size.unit != SIZE_PLAIN)
		options_fail("--partial requires --last or --first in tokens");
	for (unsigned i = 0; i < options->keep.count; i++)
		if (!trim_keep(trim, options->keep.item[i], &error))
			select_option_fail("keep", options->keep.item[i], &error);
	parse_roles(options->start_on, "start-on", &trim->start_on);
	parse_roles(options->end_on, "end-on", &trim->end_on);
}

bool
trim_option_counts(const struct trim *trim)
{
	return trim->size.unit == SIZE_PLAIN || trim->keep.needs_tokens;
}
