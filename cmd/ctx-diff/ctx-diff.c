/*
 * ctx-diff says where two logs or requests part, and what they share before that: the prefix that a
 * provider's cache has. Both are read once, side by side; in memory are request bodies, or one
 * record and one context record of a log.
 */
#include "../commands.h"
#include "base/diag.h"
#include "base/file.h"
#include "face/choices/limits.h"
#include "face/run.h"
#include "figures.h"

struct options {
	struct common_options common;
	bool stat;
	bool json, brief, check;
	struct model_options model;
	struct estimator_options estimator;
	int color;
};

static const struct option table[] = {
    OPTIONS_UNDER("What is printed"),
    {"stat", 0, NULL, "print where they part, and how many tokens they share", OPTION_FLAG,
	offsetof(struct options, stat)},
    {"json", 0, NULL, "the same as one JSON object", OPTION_FLAG, offsetof(struct options, json),
	.requires = "stat", .not_with = "brief check"},
    {"brief", 0, NULL, "the same as one short line", OPTION_FLAG, offsetof(struct options, brief),
	.requires = "stat", .not_with = "check"},
    {"check", 0, NULL, "print nothing: the exit status says whether they part", OPTION_FLAG,
	offsetof(struct options, check), .requires = "stat"},
    {"color", 0, "WHEN", "colour in tables: auto (default), always or never", OPTION_CHOICE,
	offsetof(struct options, color), terminal_colors},
    OPTIONS_UNDER("What is compared"),
    OPTION_FORGOTTEN,
    OPTIONS_UNDER("Counting"),
    OPTIONS_MODEL(options),
    OPTIONS_ESTIMATOR(OPTION_ROW, options),
    OPTIONS_INPUT(BAD_LINES_ARE_KEPT),
    OPTIONS_END,
};

/* One run. */
struct ctx_diff {
	struct options options;
	struct run *run;
	char *old; /* the operand */
	struct estimator estimator;
	struct models models;
	const struct model *model;
};

/* A model gives prices and an encoding here; there is no window. */
static const struct model *
choose_model(struct options *options, struct models *models)
{
	struct model_choice choice;

	model_choice_make(&choice, &options->model, models, false);
	if (choice.model == NULL && choice.name.len > 0)
		diag_warn("unknown model '%.*s' of %.*s: its prices are not known",
		    STR_ARG(choice.name), STR_ARG(choice.provider));
	if (choice.model != NULL && options->estimator.name == NULL)
		options->estimator.name = model_estimator(choice.model);
	return choice.model;
}

static int
parse(void *self, int argc, char **argv)
{
	struct ctx_diff *all = self;
	struct options *options = &all->options;
	int first = options_parse(&diff_command, argc, argv, options);

	if (argc - first != 2)
		options_fail("expected two operands, OLD and NEW");
	if (file_is_stdin(argv[first]) && file_is_stdin(argv[first + 1]))
		options_fail("standard input can be one of OLD and NEW, not both");
	if (!options->stat)
		options_fail("expected --stat: ctx-diff does not print the messages themselves");
	all->model = choose_model(options, &all->models);
	all->old = argv[first];
	options_read(&options->common, all->old);
	return first + 1;
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_diff *all = self;

	all->run = run;
	limits_open_for_messages(
	    &all->estimator, true, &all->options.estimator, &all->options.common, &run->fault);
}

static void
print(const struct ctx_diff *all, const struct against *against)
{
	struct figures figures = {.against = against, .model = all->model};
	struct terminal terminal;
	struct buf text = BUF_INIT;

	if (all->model != NULL)
		figures.price = model_price(all->model, against->now_tokens, against->shared);
	terminal_init(&terminal, (enum color)all->options.color);
	if (all->options.json)
		figures_write_json(&figures, &text);
	else if (all->options.brief)
		figures_write_brief(&figures, &text);
	else
		figures_write_table(&figures, &terminal, &text);
	buf_end_line(&text);
	run_add(all->run, buf_str(&text));
	buf_free(&text);
}

static bool
compare(void *self)
{
	struct ctx_diff *all = self;
	struct run *run = all->run;
	struct against against;

	against_open(&against, all->old, run, &all->estimator);
	against_compare(&against);
	run_end(run);
	run_set_messages(run, against.now.number);
	if (!fault_is_set(&run->fault)) {
		run_fail(run, source_end(&against.source));
		if (against_is_known(&against)) {
			if (!all->options.check)
				print(all, &against);
			run_fail(run, against.differs ? STATUS_NO : STATUS_OK);
		}
	}
	against_free(&against);
	return true;
}

static void
finish(void *self)
{
	estimator_close(&((struct ctx_diff *)self)->estimator);
}

static void
free_all(void *self)
{
	models_free(&((struct ctx_diff *)self)->models);
}

static const char *const essential[] = {"stat", "json", "brief", "check", "model", NULL};

const struct command diff_command = {.name = "ctx-diff",
    .synopsis = "[option]... OLD NEW",
    .purpose = "Tell where two logs or requests part, and what they share.",
    .kind = COMMAND_LOOKS,
    .options = table,
    .essential = essential,
    .examples = {"ctx-diff --stat old.jsonl new.jsonl",
	"ctx-diff --stat --brief --model gpt-5 old.jsonl new.jsonl"},
    .statuses = {0, 1, 64, 65, 66, 69, 71, 73, 74, 78},
    .no = "they part before the end of OLD",
    .leading = 1,
    .run = {.size = sizeof(struct ctx_diff),
	.parse = parse,
	.open = open_run,
	.whole = compare,
	.finish = finish,
	.free = free_all}};
