/*
 * ctx-diff shows the fate of the messages of a log or request in a later one: kept, cut, gone or
 * added. With --stat it finds the first place where both differ, and the size of the common prefix,
 * which a provider's cache has. Then both are read once, side by side; in memory are request
 * bodies, or one record and one context record of a log. Else the texts of both are in memory.
 */
#include <unistd.h>

#include "../commands.h"
#include "base/diag.h"
#include "base/file.h"
#include "face/choices/limits.h"
#include "diff_list.h"
#include "diff_page.h"
#include "face/run.h"
#include "face/terminal/pager.h"
#include "figures.h"

struct options {
	struct common_options common;
	bool stat;
	bool json, brief, check;
	struct model_options model;
	struct estimator_options estimator;
	int color;
	bool ascii;
	uint64_t context;
	bool html;
};

enum { CONTEXT = 3 }; /* messages, as diff(1) has lines */

static const struct option table[] = {
    OPTIONS_UNDER("What is printed"),
    {"stat", 0, NULL, "print only where they first differ, and how many tokens they share",
	OPTION_FLAG, offsetof(struct options, stat)},
    {"json", 0, NULL, "with --stat: as one JSON object", OPTION_FLAG,
	offsetof(struct options, json), .requires = "stat", .not_with = "brief check"},
    {"brief", 0, NULL, "with --stat: as one short line", OPTION_FLAG,
	offsetof(struct options, brief), .requires = "stat", .not_with = "check"},
    {"check", 0, NULL, "with --stat: print nothing, the exit status says whether they differ",
	OPTION_FLAG, offsetof(struct options, check), .requires = "stat"},
    {"context", 'U', "N", "kept messages around others (3)", OPTION_COUNT,
	offsetof(struct options, context), .not_with = "stat html"},
    {"html", 0, NULL, "a page: all messages, and what was cut of them", OPTION_FLAG,
	offsetof(struct options, html), .not_with = "stat"},
    OPTIONS_UNDER("How it looks"),
    {"color", 0, "WHEN", "colour: auto (default), always or never", OPTION_CHOICE,
	offsetof(struct options, color), terminal_colors},
    {"ascii", 0, NULL, "lines and marks in ASCII", OPTION_FLAG, offsetof(struct options, ascii)},
    OPTIONS_UNDER("What is compared"),
    OPTION_FORGOTTEN,
    OPTIONS_UNDER("Counting"),
    OPTIONS_MODEL(options),
    OPTIONS_MESSAGE_ESTIMATOR(OPTION_ROW, options),
    OPTIONS_INPUT(BAD_LINES_ARE_KEPT),
    OPTIONS_END,
};

struct ctx_diff {
	struct options options;
	struct run *run;
	char *old, *now; /* the operands */
	struct estimator estimator;
	struct models models;
	const struct model *model;
	struct screen screen;
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

static bool
is_typed(const char *operand)
{
	return file_is_stdin(operand) && isatty(STDIN_FILENO) == 1;
}

static int
parse(void *self, int argc, char **argv)
{
	struct ctx_diff *all = self;
	struct options *options = &all->options;
	int first;

	options->context = CONTEXT;
	first = options_parse(&diff_command, argc, argv, options);

	if (argc - first != 2)
		options_fail("expected two operands, OLD and NEW");
	if (file_is_stdin(argv[first]) && file_is_stdin(argv[first + 1]))
		options_fail("standard input can be one of OLD and NEW, not both");
	all->model = choose_model(options, &all->models);
	all->old = argv[first];
	all->now = argv[first + 1];
	options_read(&options->common, all->old);
	terminal_init(&all->screen.terminal, (enum color)options->color);
	if (options->ascii)
		all->screen.terminal.utf8 = false;
	/* A pager would read the typed input. */
	if (!options->stat && !options->html && !is_typed(argv[first]) &&
	    !is_typed(argv[first + 1]))
		pager_start();
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
print_figures(const struct ctx_diff *all, const struct against *against)
{
	struct figures figures = {.against = against, .model = all->model};
	struct buf text = BUF_INIT;

	if (all->model != NULL)
		figures.price = model_price(all->model, against->now_tokens, against->shared);
	if (all->options.json)
		figures_write_json(&figures, &text);
	else if (all->options.brief)
		figures_write_brief(&figures, &text);
	else
		figures_write_table(&figures, &all->screen.terminal, &text);
	buf_end_line(&text);
	run_add(all->run, buf_str(&text));
	buf_free(&text);
}

static void
write_rows(struct ctx_diff *all, const struct match_rows *rows, const struct told_all *was,
    const struct told_all *now)
{
	struct diff_list list = {
	    .screen = &all->screen, .run = all->run, .context = all->options.context};
	struct diff_page page = {.old_name = all->old, .new_name = all->now, .run = all->run};

	if (all->options.html)
		diff_page_write(&page, rows, was, now);
	else
		diff_list_write(&list, rows, was, now);
}

/* Shows the changes of the messages. Returns whether they differ before the end of OLD. */
static bool
show(struct ctx_diff *all, struct against *against)
{
	enum { BYTES = 8 }; /* for a column, and combining characters */
	bool html = all->options.html;
	struct told_all was = {.count = 0}, now = {.count = 0};
	struct match_rows rows = {.count = 0};
	struct str joint = html ? STR(" · ") : screen_joint(&all->screen);
	size_t most = html ? DIFF_PAGE_WORDS : (size_t)all->screen.terminal.width * BYTES;

	against->was.takes_all = against->now.takes_all = true;
	told_read(&was, &against->was, &all->estimator, joint, most);
	told_read(&now, &against->now, &all->estimator, joint, most);
	match_find(&was, &now);
	match_list(&rows, &was, &now);
	if (!fault_is_set(&all->run->fault) && against_is_known(against))
		write_rows(all, &rows, &was, &now);
	match_free(&rows);
	told_free(&was);
	told_free(&now);
	return rows.differs;
}

static bool
compare(void *self)
{
	struct ctx_diff *all = self;
	struct run *run = all->run;
	struct against against;

	against_open(&against, all->old, run, &all->estimator);
	if (all->options.stat)
		against_compare(&against);
	else
		against.differs = show(all, &against);
	run_end(run);
	run_set_messages(run, against.now.number);
	if (!fault_is_set(&run->fault)) {
		run_fail(run, source_end(&against.source));
		if (against_is_known(&against)) {
			if (all->options.stat && !all->options.check)
				print_figures(all, &against);
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
	struct ctx_diff *all = self;

	models_free(&all->models);
	screen_free(&all->screen);
}

static const char *const essential[] = {
    "stat", "json", "brief", "check", "context", "html", "model", NULL};

const struct command diff_command = {.name = "ctx-diff",
    .synopsis = "[option]... OLD NEW",
    .purpose = "Show what is kept, cut, gone and added between logs or requests.",
    .kind = COMMAND_LOOKS,
    .options = table,
    .essential = essential,
    .examples = {"ctx-diff old.jsonl new.jsonl",
	"ctx-diff --stat --brief --model gpt-5 old.jsonl new.jsonl"},
    .statuses = {0, 1, 64, 65, 66, 69, 71, 73, 74, 78},
    .no = "they differ before the end of OLD",
    .leading = 1,
    .piped = "OLD -",
    .run = {.size = sizeof(struct ctx_diff),
	.parse = parse,
	.open = open_run,
	.whole = compare,
	.finish = finish,
	.free = free_all}};
