#include "edits.h"

#include <stdlib.h>

#include "base/mem.h"
#include "face/choices/select_option.h"

static _Noreturn void
refuse_shorten(const char *argument)
{
	options_fail("bad value '%s' of --shorten, expected a length such as 2k, 800chars or "
		     "500tok, of which the head may get a share: 2k,70%%",
	    argument);
}

/* Reads "2k" or "2k,70%". */
static void
parse_limit(const char *argument, struct cut_limit *limit)
{
	const char *comma = strchr(argument, ',');
	size_t of_length = strcspn(argument, ",");
	struct size head = {SIZE_PERCENT, SIZE_WHOLE / 2};
	char *length;

	if (comma != NULL && (!size_parse(comma + 1, &head) || head.unit != SIZE_PERCENT))
		refuse_shorten(argument);
	length = mem_alloc(of_length + 1, 1);
	memcpy(length, argument, of_length);
	length[of_length] = '\0';
	if (!size_parse_length(length, &limit->size))
		refuse_shorten(argument);
	free(length);
	if (limit->size.value < CUT_LIMIT_MIN)
		options_fail(
		    "bad value '%s' of --shorten, expected at least %d", argument, CUT_LIMIT_MIN);
	limit->head = head.value;
}

void
edits_parse(struct edits *edits, const struct options *options, struct project_choice *choice)
{
	static const struct option_list unprotected = {{LONG_TEXTS_CHOSEN}, 1};

	*edits =
	    (struct edits){.merges = options->merge != NULL, .shortens = options->shorten != NULL};
	edits->separator = str_from(edits->merges ? options->merge : "");
	if (edits->separator.len == 0)
		edits->separator = STR("\n");
	if (!edits->shortens)
		return;
	parse_limit(options->shorten, &edits->limit);
	select_option_parse(&unprotected, "shorten", &edits->chosen);
	choice->counts |= edits->limit.size.unit == SIZE_TOKENS;
}

void
edits_open(struct edits *edits, struct project_choice *choice)
{
	choice->edits = edits;
	if (!edits->shortens)
		return;
	/* An estimator that learns from the session counts no single text. */
	if (edits->limit.size.unit == SIZE_TOKENS && estimator_learns(&choice->estimator))
		options_fail("--estimator %s says what a session costs, not a text: --shorten in "
			     "tokens needs another one",
		    choice->estimator.name);
	edits->limit.estimator = &choice->estimator;
	long_texts_init(&edits->texts, &edits->limit, &edits->chosen);
	choice->behind[choice->behind_count++] = &edits->texts.stage;
}

void
edits_close(struct edits *edits, const struct project_choice *choice)
{
	struct json_writer *members = &choice->run->members;

	if (edits->merges)
		json_member_integer(members, STR("joined"), (int64_t)choice->joined);
	if (edits->shortens)
		json_member_integer(members, STR("shortened"), (int64_t)edits->texts.texts);
	long_texts_free(&edits->texts);
	selectors_free(&edits->chosen);
}
