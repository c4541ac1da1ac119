/*
 * ctx-normalize makes a session valid, whole, and of the right dialect. Canonical input that is
 * whole already streams and is passed, not copied. The repair holds what comes behind a missing
 * result, the reader of Claude Code the session.
 */
#include "normalizer.h"

static const char *const from_choices[] = {"auto", "ctx", "openai", "anthropic", "claude-code",
    NULL};
static const char *const to_choices[] = {"ctx", "openai", "anthropic", NULL};

static const struct option table[] = {
    {"from", 0, "FORMAT", "auto (default), ctx, openai, anthropic or claude-code", OPTION_CHOICE,
	offsetof(struct options, from), from_choices, 0},
    {"to", 0, "FORMAT", "ctx (default), openai or anthropic", OPTION_CHOICE,
	offsetof(struct options, to), to_choices, 0},
    {"all", 0, NULL, "keep what a compaction of the session took out of the context",
	OPTION_FLAG, offsetof(struct options, all), NULL, 0},
    {"check", 0, NULL, "write nothing, report what is not whole, exit 1 if anything is",
	OPTION_FLAG, offsetof(struct options, check), NULL, 0},
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-normalize", "[option]... [file]...",
    "Make transcripts valid, whole, and of the right dialect.", table};

static void
init(struct normalizer *n)
{
	struct sink made = {normalizer_take, n};

	n->from = (enum dialect)n->options->from;
	n->to = (enum dialect)(n->options->to + DIALECT_CTX);
	n->filter.any_document = n->from != DIALECT_CTX;
	repair_init(&n->repair, (struct repair_sink){normalizer_put, normalizer_found, n});
	n->repair.only_check = n->options->check;
	n->repair.whole = n->to != DIALECT_CTX;
	chat_init(&n->chat, made, n->from != DIALECT_CTX);
	claude_code_init(&n->claude_code, made, n->options->all);
	anthropic_writer_init(&n->anthropic, normalizer_put_text, n);
}

static void
finish(struct normalizer *n)
{
	struct json_writer *report = filter_report(&n->filter);

	claude_code_finish(&n->claude_code);
	normalizer_take_prompt(n);
	repair_finish(&n->repair);
	anthropic_writer_finish(&n->anthropic);
	chat_free(&n->chat);
	buf_free(&n->text);
	buf_free(&n->prompt);
	buf_free(&n->next_prompt);
	if (n->left_out > 0 && n->filter.bad_out.fd < 0)
		diag_warn("%ju record%s without a place in the output left out",
		    (uintmax_t)n->left_out, n->left_out == 1 ? "" : "s");
	json_name(report, STR("found"));
	json_open(report, '{');
	for (enum violation v = 0; v < VIOLATION_COUNT; v++)
		if (n->found[v] > 0)
			json_member_integer(report, violation_code(v), (int64_t)n->found[v]);
	json_close(report);
}

int
main(int argc, char **argv)
{
	struct options options = {0};
	struct normalizer n = {.options = &options};
	int first = options_parse(&command, argc, argv, &options);

	if (options.check && options.to != 0)
		options_fail("--check goes with --to=ctx only");
	filter_open(&n.filter, &options.common, argv + first, argc - first);
	init(&n);
	while (filter_next(&n.filter))
		normalizer_read(&n);
	finish(&n);
	return filter_close(&n.filter);
}
