/*
 * ctx-compact makes a session fit its token budget and keeps the facts of what goes. It holds the
 * whole session, and writes nothing before it knows that the budget can be met.
 */
#include "../commands.h"
#include "job.h"

#include "stream/temporary.h"

static const struct option table[] = {
    {"target", 0, "TOKENS", "what to come down to (50%)", OPTION_SIZE,
	offsetof(struct options, target)},
    {"pipeline", 0, "LIST", TRANSFORM_DEFAULT "; symbolize; a path", OPTION_STRING,
	offsetof(struct options, pipeline)},
    {"strategy", 0, "NAME", "simple, tokens, summarize or symbolize, in place of a pipeline",
	OPTION_STRING, offsetof(struct options, strategy)},
    {"force", 'f', NULL, "run every transform, whatever the budget says", OPTION_FLAG,
	offsetof(struct options, force)},
    {"best-effort", 0, NULL, "write what is smallest when the budget cannot be met", OPTION_FLAG,
	offsetof(struct options, best_effort)},
    {"plan", 'n', NULL, "print what would be done instead", OPTION_FLAG,
	offsetof(struct options, plan), .flags = OPTION_OWN_PROCESS},
    {"keep-turns", 0, "N", "the recency window, in turns (2)", OPTION_COUNT,
	offsetof(struct options, keep_turns), NULL, offsetof(struct options, keep_turns_given)},
    {"keep-tokens", 0, "TOKENS", "the recency window, at most (20k or half the target)",
	OPTION_SIZE, offsetof(struct options, keep_tokens)},
    {"keep-messages", 0, "N", "the recency window, at most this many messages", OPTION_COUNT,
	offsetof(struct options, keep_messages), NULL,
	offsetof(struct options, keep_messages_given)},
    {"summary-title", 0, "TEXT", "the first line of the artifact", OPTION_STRING,
	offsetof(struct options, title)},
    {"symbol-title", 0, "TEXT", "the same with symbolize (Conversation symbols)", OPTION_STRING,
	offsetof(struct options, symbol_title)},
    {"summary-role", 0, "ROLE", "the role of the artifact: user (default), assistant, developer",
	OPTION_CHOICE, offsetof(struct options, role), choosing_roles},
    {"select", 0, "SELECTOR", "touch these messages only; again: or these", OPTION_LIST,
	offsetof(struct options, select)},
    {"protect", 0, "SELECTOR", "do not touch these messages; again: nor these", OPTION_LIST,
	offsetof(struct options, protect)},
    {"cached", 0, "N", "touch the first N messages only when nothing else is enough", OPTION_COUNT,
	offsetof(struct options, cached)},
    {"dedupe", 0, "LIST", "what dedupe finds: stale,superseded,duplicate,retried", OPTION_STRING,
	offsetof(struct options, dedupe)},
    {"prune-over", 0, "LENGTH", "texts over 2k bytes are pruned; 500tok is in tokens",
	OPTION_LENGTH, offsetof(struct options, prune_over)},
    {"error-tokens", 0, "N", "what unresolved error text is cut to (500)", OPTION_COUNT,
	offsetof(struct options, error_tokens)},
    {"min-gain", 0, "TOKENS", "a pass that saves less is not worth it", OPTION_SIZE,
	offsetof(struct options, min_gain)},
    {"at-boundary", 0, NULL, "compact when no execution runs, unless the budget is overrun",
	OPTION_FLAG, offsetof(struct options, at_boundary)},
    {"summary-tokens", 0, "N", "the most of a digest (2k, at most a fifth of the target)",
	OPTION_COUNT, offsetof(struct options, summary_tokens)},
    {"summarizer", 0, "CMD", "the command that writes the summary", OPTION_STRING,
	offsetof(struct options, summarizer.command)},
    {"summarizer-input", 0, "FORM", "what it reads: text (default) or jsonl", OPTION_CHOICE,
	offsetof(struct options, summarizer.input), summarizing_inputs,
	offsetof(struct options, summarizer.input_given)},
    {"summarizer-timeout", 0, "TIME", "how long a run of it may take (120s)", OPTION_STRING,
	offsetof(struct options, summarizer.timeout)},
    {"summarizer-retries", 0, "N", "runs after one that took too long or ended with 75 (0)",
	OPTION_COUNT, offsetof(struct options, summarizer.retries), NULL,
	offsetof(struct options, summarizer.retries_given)},
    {"strict-names", 0, NULL, "refuse its text when it has names that the messages lack",
	OPTION_FLAG, offsetof(struct options, summarizer.strict)},
    {"fallback", 0, "NAME", "what takes its place when it fails: digest or truncate", OPTION_CHOICE,
	offsetof(struct options, summarizer.fallback), summarizing_fallbacks,
	offsetof(struct options, summarizer.fallback_given)},
    {"execution", 0, "ID", "the current execution: auto (default), last, none or an id",
	OPTION_STRING, offsetof(struct options, execution)},
    OPTIONS_IN_PLACE,
    OPTION_ARCHIVE,
    OPTION_CHANGES,
    {"decide", 0, "COMMAND", "ask it whether it is time: 0 yes, 1 not yet", OPTION_STRING,
	offsetof(struct options, decide)},
    {"before-compact", 0, "COMMAND", "tell it the plan; 75 is a veto", OPTION_STRING,
	offsetof(struct options, before_compact)},
    {"on-compact", 0, "COMMAND", "tell it the report when all is written", OPTION_STRING,
	offsetof(struct options, on_compact), .flags = OPTION_OWN_PROCESS},
    OPTIONS_LIMITS(options),
    OPTIONS_TRIGGERS(options),
    OPTIONS_MODEL(options),
    OPTIONS_ESTIMATOR(options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

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
	if (options->common.in_place.suffix != NULL && options->plan)
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

static void
remove_copies(void)
{
	temporary_remove(TEMPORARY_COPY_OF_OLD);
	temporary_remove(TEMPORARY_COPY_OF_NEW);
}

static int
parse(void *self, int argc, char **argv)
{
	struct ctx_compact *all = self;
	struct options *options = &all->options;
	int first;

	*options = (struct options){.keep_turns = 2,
	    .prune_over = {SIZE_PLAIN, 2000},
	    .error_tokens = 500,
	    .summary_tokens = 2000};
	first = options_parse(&compact_command, argc, argv, options);
	if (options->best_effort)
		options->common.in_place.accepted = STATUS_NO;
	parse_options(&all->pattern, options);
	return first;
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_compact *all = self;

	all->run = run;
	run->is_reported |= all->options.on_compact != NULL;
}

static void
finish(void *self)
{
	struct ctx_compact *all = self;

	report_finish(all);
	job_close_estimators(all);
	buf_free(&all->each);
}

static void
written(void *self)
{
	struct ctx_compact *all = self;

	if (all->options.on_compact != NULL)
		events_tell(all);
	remove_copies();
}

static void
free_all(void *self)
{
	struct ctx_compact *all = self;

	remove_copies();
	selector_free(all->pattern.when);
	choosing_free(&all->pattern);
	models_free(&all->pattern.models);
}

const struct command compact_command = {.name = "ctx-compact",
    .synopsis = "[option]... [file]...",
    .purpose = "Make a session fit its token budget and keep the facts.",
    .kind = COMMAND_FILTER,
    .options = table,
    .examples = {"ctx-compact --window 32k log.jsonl >small.jsonl",
	"ctx-compact --window 32k --plan log.jsonl"},
    .statuses = {0, 1, 64, 65, 66, 69, 70, 71, 73, 74, 75, 78},
    .no = "the budget cannot be met, or it is time and nothing can be changed",
    .run = {.size = sizeof(struct ctx_compact),
	.parse = parse,
	.open = open_run,
	.finish = finish,
	.written = written,
	.free = free_all},
    .session = {.size = compacting_size,
	.stages = compacting_stages,
	.free = compacting_free}};
