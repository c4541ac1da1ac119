/*
 * ctx-compile runs a profile: the stages of a pipeline. What a
 * stage does stands in its own page; which stages there are, and with what options, the profile
 * says, the provider and the model, and the command line.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "choice.h"
#include "create.h"
#include "face/caret.h"
#include "face/files.h"
#include "policy/profile_options.h"
#include "profiles.h"
#include "result.h"
#include "running.h"
#include "stages.h"

struct options {
	struct common_options common;
	const char *profile;
	struct model_options model;
	const char *output;
	struct option_list lines;
	struct option_sequence shared; /* handed to all stages that have them */
	bool explain;
	bool check;
	bool print;
	bool list;
	bool sorted;
	const char *new;
	bool stage;
};

#define SHARED(name, letter, argument, help) \
	{ \
		name, letter, argument, help, OPTION_SEQUENCE, offsetof(struct options, shared), \
		    NULL, 0 \
	}
static const struct option table[] = {
    {"profile", 'p', "PROFILE",
	"pragmatic, budget, policy, a name or a path (default, else pragmatic)", OPTION_STRING,
	offsetof(struct options, profile), NULL, 0},
    {"line", 0, "LINE", "a line of a profile, above all of it, such as 'compact off'", OPTION_LIST,
	offsetof(struct options, lines), NULL, 0},
    {"output", 'o', "FILE", "the result, which appears whole or not at all", OPTION_STRING,
	offsetof(struct options, output), NULL, 0},
    {"explain", 0, NULL, "print the shell pipeline that does the same", OPTION_FLAG,
	offsetof(struct options, explain), NULL, 0},
    {"check-profile", 0, NULL, "read no input: say whether the profile is well-formed", OPTION_FLAG,
	offsetof(struct options, check), NULL, 0},
    {"print-profile", 0, NULL, "print the text of the profile", OPTION_FLAG,
	offsetof(struct options, print), NULL, 0},
    {"profiles", 0, NULL, "print the names of all profiles, and where they are", OPTION_FLAG,
	offsetof(struct options, list), NULL, 0},
    {"new", 0, "NAME", "write a commented profile as the file NAME", OPTION_STRING,
	offsetof(struct options, new), NULL, 0},
    {"stage", 0, NULL, "with --new: write a stage as NAME and its test as NAME.bats", OPTION_FLAG,
	offsetof(struct options, stage), NULL, 0},
    {"provider", 0, "NAME", "the provider, whose section of the profile holds", OPTION_STRING,
	offsetof(struct options, model.provider), NULL, 0},
    {"model", 'm', "NAME", "the model, whose section holds; or PROVIDER/NAME", OPTION_STRING,
	offsetof(struct options, model.name), NULL, 0},
    {"models-file", 0, "FILE", "a table of models, with the columns of ctx-budget --models",
	OPTION_FILE, offsetof(struct options, model.file), NULL, 0},
    SHARED("window", 'w', "SIZE", "what the model can read"),
    SHARED("reserve-output", 0, "SIZE", "reserved for the answer"),
    SHARED("reserve-system", 0, "SIZE", "reserved for the system prompt and tools"),
    SHARED("headroom", 0, "SIZE", "compaction is due when less than this remains"),
    SHARED("soft", 0, "SIZE", "compaction is due from this size on"),
    SHARED("limit", 0, "SIZE", "due over this, and down to it"),
    SHARED("target", 0, "SIZE", "what a compaction comes down to"),
    SHARED("estimator", 0, "NAME",
	"how tokens are counted: o200k_base (default), cl100k_base, bytes/4, usage, calibrated or "
	"cmd:COMMAND"),
    SHARED("image-tokens", 0, "N", "what an image counts"),
    SHARED("command-timeout", 0, "TIME", "how long cmd: may read and write nothing"),
    SHARED("execution", 0, "ID", "the current execution: auto, last, none or an id"),
    SHARED("steering", 0, "HOW", "a request after a result: join its run, or begin a new one"),
    SHARED("tool", 0, "TOOL", "NAME=read:ARG, write:ARG, edit:ARG or shell:ARG"),
    SHARED("max-line", 0, "SIZE", "the longest line that is read as a record"),
    SHARED("session-key", 0, "PATH", "the records of each value of that member are a session"),
    {"sorted", 0, NULL, "with --session-key: a session ends where the next begins", OPTION_FLAG,
	offsetof(struct options, sorted), NULL, 0},
    {"bad-lines", 0, "ACTION", "keep (default), stop at, or drop lines that are not valid",
	OPTION_CHOICE, offsetof(struct options, common.bad_lines), bad_lines_choices,
	offsetof(struct options, common.bad_lines_given)},
    {"bad-file", 0, "FILE", "where dropped bad lines go", OPTION_STRING,
	offsetof(struct options, common.bad_file), NULL, 0},
    {"verbose", 'v', NULL, "say which stages ran on standard error", OPTION_FLAG,
	offsetof(struct options, common.verbose), NULL, 0},
    OPTIONS_END,
};

static const struct command command = {"ctx-compile", "[option]... [file]...",
    "Make the context of a request by a profile.", table,
    {"ctx-compile log.jsonl >view.jsonl", "ctx-compile --profile budget --explain log.jsonl"},
    {0, 64, 65, 66, 69, 71, 73, 74, 78}, NULL};

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
	for (unsigned i = 0; i < options->shared.count; i++)
		profile_add_shared(profile, options->shared.item[i].option->name,
		    options->shared.item[i].argument);
	if (options->sorted)
		profile_add_shared(profile, "sorted", NULL);
}

static bool
is_taken(const struct profile_plan *plan, const char *name)
{
	const struct profile_option *option = profile_option_find(str_from(name));

	for (unsigned i = 0; i < plan->count; i++)
		if (plan->stage[i].is_on && profile_option_is_of(option, plan->stage[i].words[0]))
			return true;
	return false;
}

/* An option that is handed on must come to somebody: whoever asks for a window wants it kept. */
static void
check_handed(const struct options *options, const struct profile_plan *plan)
{
	for (unsigned i = 0; i < options->shared.count; i++) {
		const char *name = options->shared.item[i].option->name;

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
	for (unsigned i = 0; i < options->shared.count; i++) {
		const char *argument = options->shared.item[i].argument;

		if (strcmp(options->shared.item[i].option->name, "tool") == 0 && argument[0] == '@')
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

/* What is done instead of running the stages reads no session, and other options have no part. */
static void
check_instead(const struct options *options, int count)
{
	static const char *const creating[] = {"new", "stage", NULL},
				 *const listing[] = {"profiles", NULL},
				 *const printing[] = {"print-profile", "profile", NULL};
	const char *instead = options->new != NULL ? "--new" :
	    options->list                          ? "--profiles" :
	    options->print                         ? "--print-profile" :
	    options->check                         ? "--check-profile" :
						     NULL;

	if (options->stage && options->new == NULL)
		options_fail("--stage needs --new");
	if (instead != NULL && count > 0)
		options_fail("%s takes no file; a profile is named by --profile", instead);
	if (options->new != NULL || options->list || options->print)
		options_check_only(&command, &options->common, instead,
		    options->new != NULL ? creating :
			options->list    ? listing :
					   printing);
	if (options->check && options->explain)
		options_fail("--check-profile goes without --explain");
}

/* Options that write something that needs no profile to be parsed, and end the program. */
static void
run_instead(const struct options *options, int count)
{
	struct buf text = BUF_INIT;

	check_instead(options, count);
	if (options->new != NULL)
		create(options->new, options->stage);
	if (options->list)
		profiles_list(&text);
	else if (options->print)
		profiles_read(options->profile, &text);
	else
		return;
	options_print(&text, STATUS_OK);
}

static void
say_ran(const struct options *options, const struct stages *stages)
{
	struct buf names = BUF_INIT;

	for (unsigned i = 0; i < stages->count; i++)
		if (stages->command[i].stage != NULL)
			buf_add_fmt(&names, "%s%s", names.len > 0 ? ", " : "",
			    stages->command[i].stage->name);
	diag_warn("%s: %.*s", options->profile, STR_ARG(buf_str(&names)));
	buf_free(&names);
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
	had_bad_lines = running_run(stages, out, &fault);
	if (!fault_is_set(&fault) && options->output != NULL)
		result_commit(&result, &fault);
	if (fault_is_set(&fault))
		diag_die(fault.status, "%.*s", STR_ARG(buf_str(&fault.text)));
	if (options->common.verbose)
		say_ran(options, stages);
	return had_bad_lines ? STATUS_DATA : STATUS_OK;
}

int
main(int argc, char **argv)
{
	struct options options = {.profile = profiles_default()};
	int first = options_parse(&command, argc, argv, &options), status = STATUS_OK;
	struct profile profile = {.count = 0};
	struct option_list files = {.count = 0}; /* of the profiles */
	struct models models = MODELS_INIT;
	struct choice choice;
	struct profile_plan plan;
	struct stages stages;
	struct fault fault = FAULT_INIT;

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
		diag_die(fault.status, "%.*s", STR_ARG(buf_str(&fault.text)));
	for (unsigned i = 0; i < stages.count; i++)
		check_kept(&options, stages.command[i].path);
	if (!options.check)
		status = run(&options, &stages, argv + first, argc - first);
	models_free(&models);
	profile_free(&profile);
	return status;
}
