#include "face/choices/select_option.h"

#include <stdlib.h>

#include "base/diag.h"
#include "face/input/files.h"
#include "face/options/caret.h"

void
select_option_fail(const char *option, const char *text, const struct selector_error *error)
{
	struct buf what = BUF_INIT;
	struct stat st;

	if (option == NULL && files_find_regular(text, &st))
		options_fail(
		    "'%s' is a file: expected a selector such as role=user before it", text);
	if (option == NULL)
		buf_add_fmt(&what, "bad selector '%s'", text);
	else
		buf_add_fmt(&what, "bad value '%s' of --%s", text, option);
	diag_warn("%.*s: %.*s; try '%s --help'", STR_ARG(buf_str(&what)),
	    STR_ARG(buf_str(&error->message)), diag_program());
	buf_free(&what);
	caret_point(str_from(text), error->at);
	exit(STATUS_USAGE);
}

void
select_option_parse(
    const struct option_list *texts, const char *option, struct selectors *selectors)
{
	struct selector_error error = {BUF_INIT, 0};

	for (unsigned i = 0; i < texts->count; i++)
		if (!selectors_add(selectors, texts->item[i], &error))
			select_option_fail(option, texts->item[i], &error);
}
