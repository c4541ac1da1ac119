/*
 * ctx-compact makes a session fit its token budget and keeps the facts of the messages that it
 * drops. It holds the whole session, and writes nothing before it knows that the budget can be met.
 */
#include "../commands.h"
#include "job.h"

#include "stream/file/temporary.h"

static const struct option table[] = {
    OPTIONS_UNDER("The budget"),
    OPTIONS_LIMITS(OPTION_ROW, options),
    OPTION_TARGET(OPTION_ROW, options),
    OPTIONS_MODEL(options),
    OPTIONS_UNDER("When it is time"),
    OPTIONS_TRIGGERS(options),
    {"force", 'f', NULL, "run every transform, whatever the budget says", OPTION_FLAG,
	offsetof(struct options, force)},
    {"min-gain", 0, "TOKENS", "change nothing when a pass would save less", OPTION_TOKENS,
	offsetof(struct options, min_gain)},
    {"at-boundary", 0, NULL, "compact only when no execution runs, unless over the budget",
	OPTION_FLAG, offsetof(struct options, at_boundary)},
    {"decide", 0, "COMMAND", "ask COMMAND whether it is time: status 0 yes, 1 not yet",
	OPTION_COMMAND, offsetof(struct options, decide), .not_with = "force"},
    OPTIONS_UNDER("What goes and what stays"),
    {"plan", 'n', NULL, "print what would be done instead", OPTION_FLAG,
	offsetof(struct options, plan), .flags = OPTION_OWN_PROCESS,
	.not_with = "in-place before-compact on-compact"},
    {"strategy", 0, "NAME", "simple, tokens, summarize or symbolize", OPTION_STRING,
	offsetof(struct options, strategy), .not_with = "pipeline"},
    {"pipeline", 0, "LIST", TRANSFORM_DEFAULT "; symbolize; a path", OPTION_STRING,
	offsetof(struct options, pipeline)},
    {"keep-turns", 0, "N", "the recency window, in turns (2)", OPTION_COUNT,
	offsetof(struct options, keep_turns), NULL, offsetof(struct options, keep_turns_given)},
    {"keep-tokens", 0, "TOKENS", "the recency window, at most (20k or half the target)",
	OPTION_TOKENS, offsetof(struct options, keep_tokens)},
    {"keep-messages", 0, "N", "the recency window, at most this many messages", OPTION_COUNT,
	offsetof(struct options, keep_messages), NULL,
	offsetof(struct options, keep_messages_given)},
    {"select", 0, "SELECTOR", "touch these messages only; again: or these", OPTION_LIST,
	offsetof(struct options, select)},
    {"protect", 0, "SELECTOR", "do not touch these messages; again: nor these", OPTION_LIST,
	offsetof(struct options, protect)},
    {"cached", 0, "N", "touch the first N messages only when nothing else is enough", OPTION_COUNT,
	offsetof(struct options, cached)},
    {"dedupe", 0, "LIST", "kinds for dedupe to find: stale,superseded,duplicate,retried",
	OPTION_STRING, offsetof(struct options, dedupe)},
    {"prune-over", 0, "LENGTH", "texts over 2k bytes are pruned; 500tok is in tokens",
	OPTION_LENGTH, offsetof(struct options, prune_over)},
    {"best-effort", 0, NULL, "write the smallest when the budget cannot be met", OPTION_FLAG,
	offsetof(struct options, best_effort)},
    OPTIONS_UNDER("Failures, and the current execution"),
    {"error-tokens", 0, "N", "tokens that unresolved error text is cut to (500)", OPTION_COUNT,
	offsetof(struct options, error_tokens)},
    OPTION_EXECUTION(OPTION_ROW, options),
    OPTIONS_UNDER("Summaries"),
    {"summarizer", 0, "CMD", "the command that writes the summary", OPTION_COMMAND,
	offsetof(struct options, summarizer.command)},
    {"summarizer-input", 0, "FORM", "input of the summarizer: text (default) or jsonl",
	OPTION_CHOICE, offsetof(struct options, summarizer.input), summary_command_inputs,
	.requires = "summarizer"},
    {"summarizer-timeout", 0, "TIME", "how long one run of the summarizer may take (120s)",
	OPTION_TIME, offsetof(struct options, summarizer.timeout), NULL,
	offsetof(struct options, summarizer.timeout_given), .requires = "summarizer"},
    {"summarizer-retries", 0, "N",
	"how often to repeat a run that took too long or ended with 75 (0)", OPTION_COUNT,
	offsetof(struct options, summarizer.retries), .requires = "summarizer"},
    {"strict-names", 0, NULL, "refuse a summary with names that the messages lack", OPTION_FLAG,
	offsetof(struct options, summarizer.strict), .requires = "summarizer"},
    {"fallback", 0, "NAME", "if the summarizer fails: digest or truncate", OPTION_CHOICE,
	offsetof(struct options, summarizer.fallback), summary_command_fallbacks,
	offsetof(struct options, summarizer.fallback_given), .requires = "summarizer"},
    {"summary-tokens", 0, "N", "the most tokens of a digest (half of the target)", OPTION_COUNT,
	offsetof(struct options, summary_tokens), NULL,
	offsetof(struct options, summary_tokens_given)},
    {"rules", 0, "FILE", "phrases that oblige or forbid, beside the English ones: one a line",
	OPTION_FILE, offsetof(struct options, rules)},
    {"summary-title", 0, "TEXT", "the first line of the artifact", OPTION_STRING,
	offsetof(struct options, title)},
    {"summary-role", 0, "ROLE", "the role of the artifact: user (default), assistant, developer",
	OPTION_CHOICE, offsetof(struct options, role), preferences_roles},
    OPTIONS_UNDER("Archive and in place"),
    OPTION_ARCHIVE,
    OPTION_CHANGES,
    OPTIONS_IN_PLACE(NULL, ""),
    OPTIONS_UNDER("Events"),
    {"before-compact", 0, "COMMAND", "run COMMAND with the plan; status 75 is a veto",
	OPTION_COMMAND, offsetof(struct options, before_compact)},
    {"on-compact", 0, "COMMAND", "run COMMAND with the report when all is written", OPTION_COMMAND,
	offsetof(struct options, on_compact), .flags = OPTION_OWN_PROCESS,
	.not_with = "session-key"},
    OPTIONS_UNDER("Counting"),
    OPTIONS_ESTIMATOR(OPTION_ROW, options),
    OPTION_FORGOTTEN,
    OPTIONS_COMMON,
    OPTIONS_END,
};

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
	all->pattern.when = limits_check(&options->limits, &options->max_section);
	all->pattern.model = limits_choose_model(
	    &options->model, &all->pattern.models, &options->limits, &options->estimator);
	limits_check_estimator(&options->estimator);
	preferences_parse(&all->pattern, options);
	summary_command_parse(&all->pattern, options);
	all->pattern.how.force = options->force;
	all->pattern.options = options;
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
ended(void *self)
{
	struct ctx_compact *all = self;

	archive_option_end(&all->archive, all->run);
}

static void
finish(void *self)
{
	struct ctx_compact *all = self;

	archive_option_end(&all->archive, all->run);
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
	preferences_free(&all->pattern);
	models_free(&all->pattern.models);
}

static const char *const essential[] = {"window", "limit", "target", "model", "plan", "strategy",
    "keep-turns", "protect", "best-effort", "archive", "in-place", NULL};

const struct command compact_command = {.name = "ctx-compact",
    .synopsis = "[option]... [file]...",
    .purpose = "Make a session fit its token budget and keep the facts.",
    .kind = COMMAND_FILTER,
    .options = table,
    .essential = essential,
    .examples = {"ctx-compact --window 32k log.jsonl >small.jsonl",
	"ctx-compact --window 32k --plan log.jsonl"},
    .statuses = {0, 1, 64, 65, 66, 69, 70, 71, 73, 74, 75, 78},
    .no = "the budget cannot be met, or it is time and nothing can be changed",
    .run = {.size = sizeof(struct ctx_compact),
	.parse = parse,
	.open = open_run,
	.ended = ended,
	.finish = finish,
	.written = written,
	.free = free_all},
    .session = {.size = sizeof(struct job),
	.stages = session_pass_stages,
	.free = session_pass_free,
	/* What is forgotten is dropped by a pass as a change, so that the archive has it. */
	.forgets = COMMAND_FORGOTTEN_PASS}};
