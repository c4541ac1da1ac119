/*
 * ctx-compact makes a session fit its token budget and keeps the facts of what goes. It holds the
 * whole session, and writes nothing before it knows that the budget can be met.
 */
#include "../runners.h"
#include "job.h"

#include "stream/temporary.h"

static const struct option table[] = {
    {"target", 0, "TOKENS", "what to come down to (50%)", OPTION_SIZE,
	offsetof(struct options, target), NULL, 0},
    {"pipeline", 0, "LIST", TRANSFORM_DEFAULT "; symbolize; a path", OPTION_STRING,
	offsetof(struct options, pipeline), NULL, 0},
    {"strategy", 0, "NAME", "simple, tokens, summarize or symbolize, in place of a pipeline",
	OPTION_STRING, offsetof(struct options, strategy), NULL, 0},
    {"force", 'f', NULL, "run every transform, whatever the budget says", OPTION_FLAG,
	offsetof(struct options, force), NULL, 0},
    {"best-effort", 0, NULL, "write what is smallest when the budget cannot be met", OPTION_FLAG,
	offsetof(struct options, best_effort), NULL, 0},
    {"plan", 'n', NULL, "print what would be done instead", OPTION_FLAG,
	offsetof(struct options, plan), NULL, 0},
    {"keep-turns", 0, "N", "the recency window, in turns (2)", OPTION_COUNT,
	offsetof(struct options, keep_turns), NULL, offsetof(struct options, keep_turns_given)},
    {"keep-tokens", 0, "TOKENS", "the recency window, at most (20k or half the target)",
	OPTION_SIZE, offsetof(struct options, keep_tokens), NULL, 0},
    {"keep-messages", 0, "N", "the recency window, at most this many messages", OPTION_COUNT,
	offsetof(struct options, keep_messages), NULL,
	offsetof(struct options, keep_messages_given)},
    {"summary-title", 0, "TEXT", "the first line of the artifact", OPTION_STRING,
	offsetof(struct options, title), NULL, 0},
    {"symbol-title", 0, "TEXT", "the same with symbolize (Conversation symbols)", OPTION_STRING,
	offsetof(struct options, symbol_title), NULL, 0},
    {"summary-role", 0, "ROLE", "the role of the artifact: user (default), assistant, developer",
	OPTION_CHOICE, offsetof(struct options, role), choosing_roles, 0},
    {"select", 0, "SELECTOR", "touch these messages only; again: or these", OPTION_LIST,
	offsetof(struct options, select), NULL, 0},
    {"protect", 0, "SELECTOR", "do not touch these messages; again: nor these", OPTION_LIST,
	offsetof(struct options, protect), NULL, 0},
    {"cached", 0, "N", "touch the first N messages only when nothing else is enough", OPTION_COUNT,
	offsetof(struct options, cached), NULL, 0},
    {"dedupe", 0, "LIST", "what dedupe finds: stale,superseded,duplicate,retried", OPTION_STRING,
	offsetof(struct options, dedupe), NULL, 0},
    {"prune-over", 0, "LENGTH", "texts over 2k bytes are pruned; 500tok is in tokens",
	OPTION_LENGTH, offsetof(struct options, prune_over), NULL, 0},
    {"error-tokens", 0, "N", "what unresolved error text is cut to (500)", OPTION_COUNT,
	offsetof(struct options, error_tokens), NULL, 0},
    {"min-gain", 0, "TOKENS", "a pass that saves less is not worth it", OPTION_SIZE,
	offsetof(struct options, min_gain), NULL, 0},
    {"at-boundary", 0, NULL, "compact when no execution runs, unless the budget is overrun",
	OPTION_FLAG, offsetof(struct options, at_boundary), NULL, 0},
    {"summary-tokens", 0, "N", "the most of a digest (2k, at most a fifth of the target)",
	OPTION_COUNT, offsetof(struct options, summary_tokens), NULL,
	offsetof(struct options, summary_tokens_given)},
    {"summarizer", 0, "CMD", "the command that writes the summary", OPTION_STRING,
	offsetof(struct options, summarizer.command), NULL, 0},
    {"summarizer-input", 0, "FORM", "what it reads: text (default) or jsonl", OPTION_CHOICE,
	offsetof(struct options, summarizer.input), summarizing_inputs,
	offsetof(struct options, summarizer.input_given)},
    {"summarizer-timeout", 0, "TIME", "how long a run of it may take (120s)", OPTION_STRING,
	offsetof(struct options, summarizer.timeout), NULL, 0},
    {"summarizer-retries", 0, "N", "runs after one that took too long or ended with 75 (0)",
	OPTION_COUNT, offsetof(struct options, summarizer.retries), NULL,
	offsetof(struct options, summarizer.retries_given)},
    {"strict-names", 0, NULL, "refuse its text when it has names that the messages lack",
	OPTION_FLAG, offsetof(struct options, summarizer.strict), NULL, 0},
    {"fallback", 0, "NAME", "what takes its place when it fails: digest or truncate", OPTION_CHOICE,
	offsetof(struct options, summarizer.fallback), summarizing_fallbacks,
	offsetof(struct options, summarizer.fallback_given)},
    {"execution", 0, "ID", "the current execution: auto (default), last, none or an id",
	OPTION_STRING, offsetof(struct options, execution), NULL, 0},
    OPTIONS_IN_PLACE(options),
    OPTION_ARCHIVE(options),
    OPTION_CHANGES(options),
    {"decide", 0, "COMMAND", "ask it whether it is time: 0 yes, 1 not yet", OPTION_STRING,
	offsetof(struct options, decide), NULL, 0},
    {"before-compact", 0, "COMMAND", "tell it the plan; 75 is a veto", OPTION_STRING,
	offsetof(struct options, before_compact), NULL, 0},
    {"on-compact", 0, "COMMAND", "tell it the report when all is written", OPTION_STRING,
	offsetof(struct options, on_compact), NULL, 0},
    {"restore", 0, "FILE", "put back what the archive FILE has of the stream", OPTION_FILE,
	offsetof(struct options, restore), NULL, 0},
    {"recall", 0, "KEY[:LINES]", "print what an entry of the archive says", OPTION_STRING,
	offsetof(struct options, recall), NULL, 0},
    {"search", 0, "ERE", "print the lines in the archive that match", OPTION_STRING,
	offsetof(struct options, search), NULL, 0},
    {"recall-tokens", 0, "N", "the most that --recall and --search print (1k)", OPTION_COUNT,
	offsetof(struct options, recall_tokens), NULL, 0},
    OPTIONS_LIMITS(options),
    OPTIONS_TRIGGERS(options),
    OPTIONS_MODEL(options),
    OPTIONS_ESTIMATOR(options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-compact", "[option]... [file]...",
    "Make a session fit its token budget and keep the facts.", table,
    {"ctx-compact --window 32k log.jsonl >small.jsonl",
	"ctx-compact --window 32k --plan log.jsonl"},
    {0, 1, 64, 65, 66, 69, 70, 71, 73, 74, 75, 78},
    "the budget cannot be met, or it is time and nothing can be changed"};

static void
check_tokens(struct size size, const char *name)
{
	if (size.unit == SIZE_MESSAGES || size.unit == SIZE_TURNS)
		options_fail("bad value of --%s, expected a number of tokens", name);
}

static void
check_shell(const char *text, const char *name)
{
	if (text != NULL && str_trim(str_from(text)).len == 0)
		options_fail("bad value of --%s, expected a command", name);
}

static void
parse_options(struct job *job, struct options *options)
{
	job->when = limits_check(&options->limits, &options->max_section);
	job->model = limits_choose_model(
	    &options->model, &job->models, &options->limits, &options->estimator);
	limits_check_estimator(&options->estimator);
	check_tokens(options->target, "target");
	check_tokens(options->keep_tokens, "keep-tokens");
	check_tokens(options->min_gain, "min-gain");
	choosing_parse(job, options);
	check_shell(options->summarizer.command, "summarizer");
	check_shell(options->decide, "decide");
	check_shell(options->before_compact, "before-compact");
	check_shell(options->on_compact, "on-compact");
	summarizing_parse(job, options);
	if (options->in_place.suffix != NULL && options->plan)
		options_fail("--plan changes nothing; it goes without --in-place");
	if ((options->before_compact != NULL || options->on_compact != NULL) && options->plan)
		options_fail("--plan changes nothing; it goes with neither --before-compact nor "
			     "--on-compact");
	if (options->on_compact != NULL && options->common.session_key != NULL)
		options_fail("--on-compact is told of one session; it goes without --session-key");
	if (options->decide != NULL && options->force)
		options_fail("--force asks nobody; it goes without --decide");
	job->how.force = options->force;
	job->options = options;
}

/* --recall, --search and --restore compact nothing: an option that says how is a mistake. */
static void
check_alone(const struct options *options)
{
	static const char *const asking[] = {"archive", "recall", "search", "recall-tokens",
	    "estimator", "image-tokens", "command-timeout", NULL};
	static const char *const restoring[] = {"restore", "steering", "tool", "session-key",
	    "sorted", "bad-lines", "bad-file", "max-line", "report", "verbose", NULL};

	if (options->recall != NULL || options->search != NULL)
		options_check_only(&command, &options->common,
		    options->recall != NULL ? "--recall" : "--search", asking);
	else if (options->restore != NULL)
		options_check_only(&command, &options->common, "--restore", restoring);
}

static int
parse(void *self, int argc, char **argv)
{
	struct job_all *all = self;
	struct options *options = &all->options;
	int first;

	*options = (struct options){.keep_turns = 2,
	    .prune_over = {SIZE_PLAIN, 2000},
	    .error_tokens = 500,
	    .summary_tokens = 2000,
	    .recall_tokens = 1000};
	first = options_parse(&command, argc, argv, options);
	check_alone(options);
	if (options->recall != NULL || options->search != NULL)
		recall_run(options, argc - first);
	if (options->restore == NULL)
		parse_options(&all->pattern, options);
	return first;
}

static struct session_kind
open_run(void *self, struct run *run)
{
	struct job_all *all = self;

	all->run = run;
	run->waits = all;
	if (all->options.on_compact != NULL)
		run->written = events_tell;
	run->accepted = all->options.best_effort ? STATUS_NO : STATUS_OK;
	return compacting_kind;
}

static void
finish(void *self)
{
	report_finish(self);
}

/* Frees what a run has made. */
static void
free_run(struct job_all *all)
{
	temporary_remove(TEMPORARY_COPY_OF_OLD);
	temporary_remove(TEMPORARY_COPY_OF_NEW);
	job_close_estimators(all);
	buf_free(&all->each);
}

/* Compacts a file that is replaced. */
static int
run_file(void *self, struct run_file *file)
{
	struct job_all all = *(struct job_all *)self;
	int status = runner_run_file(&compact_runner, &all, file);

	free_run(&all);
	return status;
}

/* Restores, or replaces files. */
static bool
do_instead(void *self, char *const *operand, int count, int *status)
{
	struct job_all *all = self;
	const struct options *options = &all->options;

	if (options->restore != NULL)
		*status = restore_run(options->restore, options, operand, count);
	else if (options->in_place.suffix != NULL)
		*status = in_place_run(&options->in_place, &options->common, options->archive,
		    operand, count, run_file, all);
	else
		return false;
	return true;
}

static void
free_all(void *self)
{
	struct job_all *all = self;

	free_run(all);
	if (all->options.restore != NULL)
		return; /* how to compact was not read */
	selector_free(all->pattern.when);
	choosing_free(&all->pattern);
	models_free(&all->pattern.models);
}

static const char *const alone[] = {
    "plan", "restore", "recall", "search", "in-place", "on-compact", NULL};

const struct runner compact_runner = {.name = "ctx-compact",
    .command = &command,
    .size = sizeof(struct job_all),
    .parse = parse,
    .instead = do_instead,
    .open = open_run,
    .finish = finish,
    .free = free_all,
    .alone = alone};
