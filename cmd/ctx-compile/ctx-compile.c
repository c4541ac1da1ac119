/*
 * ctx-compile runs a profile: the stages of a pipeline. The profile, the provider, the model and
 * the command line select the stages and their options. Each stage is a command with a page of its
 * own.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "../commands.h"
#include "choice.h"
#include "create.h"
#include "face/fault_die.h"
#include "face/options/caret.h"
#include "face/input/files.h"
#include "face/choices/limits.h"
#include "face/output/result.h"
#include "handed.h"
#include "profiles.h"
#include "processes.h"
#include "stages.h"

struct options {
	struct common_options common;
	const char *profile;
	struct model_options model;
	const char *output;
	struct option_list lines;
	struct option_sequence handed; /* to all stages that have them */
	bool explain;
	bool check;
	bool list;
	const char *new;
	bool stage;
};

static const struct option table[] = {
    OPTIONS_UNDER("The profile"),
    {"profile", 'p', "PROFILE", "pragmatic, budget, policy, a name or a path", OPTION_STRING,
	offsetof(struct options, profile)},
    {"line", 0, "LINE", "a line of a profile that wins over all of it, such as 'compact off'",
	OPTION_LIST, offsetof(struct options, lines)},
    {"provider", 0, "NAME", "the provider, whose section of the profile holds", OPTION_STRING,
	offsetof(struct options, model.provider), .flags = OPTION_IS_HANDED},
    {"model", 'm', "NAME", "the model, whose section holds; or PROVIDER/NAME", OPTION_STRING,
	offsetof(struct options, model.name), .flags = OPTION_IS_HANDED},
    {"models-file", 0, "FILE", "a table of models, with the columns of ctx-budget --models",
	OPTION_FILE, offsetof(struct options, model.file), .flags = OPTION_IS_HANDED},
    {"output", 'o', "FILE", "write to FILE, whole or not at all", OPTION_STRING,
	offsetof(struct options, output)},
    OPTIONS_UNDER("Instead of running the stages"),
    {"explain", 0, NULL, "print the shell pipeline that does the same", OPTION_FLAG,
	offsetof(struct options, explain)},
    {"check-profile", 0, NULL, "read no input: say whether the profile is well-formed", OPTION_FLAG,
	offsetof(struct options, check), .not_with = "explain"},
    {"profiles", 0, NULL, "print the names of all profiles, and where they are", OPTION_FLAG,
	offsetof(struct options, list), .only_with = ""},
    {"new", 0, "NAME", "write a commented profile as the file NAME", OPTION_STRING,
	offsetof(struct options, new), .only_with = "stage"},
    {"stage", 0, NULL, "with --new: write a stage as NAME and its test as NAME.bats", OPTION_FLAG,
	offsetof(struct options, stage), .requires = "new"},
    OPTIONS_UNDER("For all stages that have them"),
    OPTIONS_LIMITS(OPTION_HANDED, options),
    OPTION_TARGET(OPTION_HANDED, options),
    OPTION_EXECUTION(OPTION_HANDED, options),
    OPTIONS_SESSIONS(OPTION_HANDED, options),
    OPTIONS_UNDER("Counting, for all stages"),
    OPTIONS_ESTIMATOR(OPTION_HANDED, options),
    OPTIONS_UNDER("Input and output"),
    OPTIONS_WALK(OPTION_HANDED, options),
    OPTIONS_BAD_LINES(BAD_LINES_ARE_KEPT),
    OPTION_MAX_LINE(OPTION_HANDED, options),
    OPTION_VERBOSE,
    OPTIONS_END,
};

static void
load(struct profile *profile, const struct options *options, struct option_list *files)
{
	struct profile_line_error error = {BUF_INIT, 0, {NULL, 0}, 0};

	profiles_load(profile, options->profile, files);
	for (unsigned i = 0; i < options->lines.count; i++)
		if (!profile_parse(profile, "--line", str_from(options->lines.item[i]),
			PROFILE_COMMAND_LINE, &error)) {
			diag_warn("bad value of --line: %.*s; try '%s --help'",
			    STR_ARG(buf_str(&error.message)), diag_program());
			caret_point(error.text, error.at);
			exit(STATUS_USAGE);
		}
	for (unsigned i = 0; i < options->handed.count; i++) {
		const struct option *option = options->handed.item[i].option;
		const char *argument = options->handed.item[i].argument;

		profile_add_shared(
		    profile, option->name, option->argument != NULL ? argument : NULL);
	}
}

static bool
is_taken(const struct profile_plan *plan, const char *name)
{
	for (unsigned i = 0; i < plan->count; i++)
		if (plan->stage[i].is_on && handed_is_of(name, plan->stage[i].words[0]))
			return true;
	return false;
}

/* An option that is handed on must reach some stage: a user who gives a window wants it kept. */
static void
check_handed(const struct options *options, const struct profile_plan *plan)
{
	for (unsigned i = 0; i < options->handed.count; i++) {
		const char *name = options->handed.item[i].option->name;

		if (!is_taken(plan, name))
			options_fail("no stage of '%s' takes --%s", options->profile, name);
	}
}

/* The file at path is read or run: nothing may be written over it. */
static void
check_kept(const struct options *options, const char *path)
{
	if (files_are_same(options->output, path))
		options_fail("--output '%s' is an input file", options->output);
	if (files_are_same(options->common.bad_file, path))
		options_fail("--bad-file '%s' is an input file", options->common.bad_file);
}

static void
check_outputs(const struct options *options, const struct option_list *files)
{
	if (files_are_same(options->output, options->common.bad_file))
		options_fail("--output and --bad-file are one file");
	for (unsigned i = 0; i < files->count; i++)
		check_kept(options, files->item[i]);
	for (unsigned i = 0; i < options->common.reads.count; i++)
		check_kept(options, options->common.reads.item[i]);
	for (unsigned i = 0; i < options->handed.count; i++) {
		const char *argument = options->handed.item[i].argument;

		if (strcmp(options->handed.item[i].option->name, "tool") == 0 && argument[0] == '@')
			check_kept(options, argument + 1);
	}
}

static char *
make_word(struct profile *profile, const char *name, const char *value)
{
	struct buf word = BUF_INIT;
	struct str kept;

	buf_add_fmt(&word, "--%s=%s%c", name, value, '\0');
	kept = arena_copy(&profile->arena, buf_str(&word));
	buf_free(&word);
	return (char *)kept.ptr;
}

/* The words of the options for the first of our stages. */
static char **
first_words(struct profile *profile, const struct common_options *common)
{
	char **words = arena_zalloc(&profile->arena, 3, sizeof *words);
	unsigned count = 0;

	if (common->bad_lines_given)
		words[count++] =
		    make_word(profile, "bad-lines", bad_lines_choices[common->bad_lines]);
	if (common->bad_file != NULL)
		words[count++] = make_word(profile, "bad-file", common->bad_file);
	return words;
}

/* Options that write something that needs no profile to be parsed, and end the program. */
static void
run_instead(const struct options *options, int count)
{
	const char *instead = options->new != NULL ? "--new" :
	    options->list                          ? "--profiles" :
	    options->check                         ? "--check-profile" :
						     NULL;
	struct buf text = BUF_INIT;

	if (instead != NULL && count > 0)
		options_fail("%s takes no file; a profile is named by --profile", instead);
	if (options->new != NULL)
		create(options->new, options->stage);
	if (!options->list)
		return;
	profiles_list(&text);
	options_print(&text, STATUS_OK);
}

/* Runs the stages. Returns the exit status. */
static int
run(const struct options *options, const struct stages *stages, char *const *operand, int count)
{
	struct fault fault = FAULT_INIT;
	struct result result;
	int out = STDOUT_FILENO;
	bool had_bad_lines;

	if (options->output != NULL) {
		result_open(&result, options->output, operand, count);
		out = result.fd;
	}
	had_bad_lines = processes_run(stages, out, &fault);
	if (!fault_is_set(&fault) && options->output != NULL)
		result_commit(&result, &fault);
	fault_check(&fault);
	if (options->common.verbose) {
		struct buf names = BUF_INIT;

		for (unsigned i = 0; i < stages->count; i++)
			if (stages->command[i].stage != NULL)
				buf_add_fmt(&names, "%s%s", names.len > 0 ? ", " : "",
				    stages->command[i].stage->name);
		diag_warn("%s: %.*s", options->profile, STR_ARG(buf_str(&names)));
		buf_free(&names);
	}
	return had_bad_lines ? STATUS_DATA : STATUS_OK;
}

static int
compile(int argc, char **argv)
{
	struct options options = {.profile = profiles_default()};
	int first = options_parse(&compile_command, argc, argv, &options), status = STATUS_OK;
	struct handed handed;
	struct profile profile = {.options = &handed.options};
	struct option_list files = {.count = 0}; /* of the profiles */
	struct models models = MODELS_INIT;
	struct choice choice;
	struct profile_plan plan;
	struct stages stages;
	struct fault fault = FAULT_INIT;

	handed_init(&handed);
	run_instead(&options, argc - first);
	load(&profile, &options, &files);
	choice_make(&choice, &profile, &models, &options.model);
	profile_plan(&profile, &choice.sections, &plan);
	check_handed(&options, &plan);
	choice_say_unknown(&choice, &plan);
	if (options.check)
		choice_check_sections(&profile, &models);
	check_outputs(&options, &files);
	if (!stages_init(&stages, &profile, &plan, first_words(&profile, &options.common),
		argv + first, argc - first))
		options_fail("no stage of '%s' takes --%s", options.profile,
		    options.common.bad_lines_given ? "bad-lines" : "bad-file");
	if (options.explain) {
		struct buf text = BUF_INIT;

		stages_explain(&stages, options.output, &text);
		options_print(&text, STATUS_OK);
	}
	if (!stages_find(&stages, &profile, &fault))
		fault_die(&fault);
	for (unsigned i = 0; i < stages.count; i++)
		check_kept(&options, stages.command[i].path);
	if (!options.check)
		status = run(&options, &stages, argv + first, argc - first);
	models_free(&models);
	profile_free(&profile);
	return status;
}

static const char *const essential[] = {"profile", "line", "model", "output", "explain",
    "check-profile", "profiles", "new", "window", NULL};

const struct command compile_command = {.name = "ctx-compile",
    .synopsis = "[option]... [file]...",
    .purpose = "Make the context of a request by a profile.",
    .kind = COMMAND_FRONT,
    .options = table,
    .essential = essential,
    .examples = {"ctx-compile log.jsonl >view.jsonl",
	"ctx-compile --profile budget --explain log.jsonl"},
    .statuses = {0, 64, 65, 66, 69, 70, 71, 73, 74, 75, 78},
    .main = compile};
