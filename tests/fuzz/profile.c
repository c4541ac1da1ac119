/* Fuzzes the parser of profiles: any bytes are a profile, or wrong at a place that there is. */

#include <stdint.h>
#include <stdlib.h>

#include "base/text/shell_word.h"
#include "policy/profile/profile_plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static bool
is_of(const struct profile_option *option, const char *command)
{
	return (strlen(option->name) + strlen(command)) % 2 > 0;
}

static void
check_error(const struct profile_line_error *error)
{
	if (error->line == 0 || error->at > error->text.len || error->message.len == 0)
		abort();
}

/* Each word reads back from its quoted form as it is. */
static void
check_word(const char *word)
{
	struct buf quoted = BUF_INIT, back = BUF_INIT;
	size_t at = 0;
	bool is_there;

	shell_word_add(&quoted, word);
	if (shell_word_take(buf_str(&quoted), &at, &back, &is_there) != NULL || !is_there ||
	    at != quoted.len || !str_eq(buf_str(&back), str_from(word)))
		abort();
	buf_free(&quoted);
	buf_free(&back);
}

static void
check_plan(struct profile *profile)
{
	struct profile_plan_choice choice = {STR("p"), {STR("m"), STR("n"), STR("")}, 0};
	struct profile_plan plan;

	profile_plan(profile, &choice, &plan);
	for (unsigned i = 0; i < plan.count; i++) {
		const struct profile_plan_stage *stage = &plan.stage[i];

		if (stage->count == 0 || stage->words[stage->count] != NULL)
			abort();
		for (unsigned w = 0; w < stage->count; w++)
			check_word(stage->words[w]);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct str text = str_of((const char *)bytes, len);
	struct profile_line_error error = {BUF_INIT, 0, {NULL, 0}, 0};
	static const struct profile_option list[] = {
	    {"window", false}, {"sorted", true}, {NULL, false}};
	static const struct profile_options options = {list, is_of};
	struct profile profile = {.options = &options};
	struct buf base = BUF_INIT;

	if (len > 0 && !profile_base(text, &base, &error))
		check_error(&error);
	buf_reset(&error.message);
	if (profile_parse(&profile, "p", text, PROFILE_DEFAULTS, &error))
		check_plan(&profile);
	else
		check_error(&error);
	buf_free(&error.message);
	buf_free(&base);
	profile_free(&profile);
	return 0;
}
