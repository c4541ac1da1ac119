/*
 * ctx-budget passes the stream and writes the session's budget record after it: the size of the
 * window, the tokens used, reserved and left, and whether compaction is due. Memory holds one
 * record, the ids of calls without a result, and a row for each value that --by distinguishes. With
 * --cuts, a command as estimator, or a --when that depends on more than the message, the whole
 * session is held.
 */
#include <unistd.h>

#include "../commands.h"
#include "base/file.h"
#include "face/choices/limits.h"
#include "face/sessions/sessions.h"
#include "now.h"
#include "plain_text.h"
#include "session_report.h"
#include "face/terminal/terminal.h"
#include "verify.h"

static const struct option table[] = {
    OPTIONS_UNDER("The budget"),
    OPTIONS_LIMITS(OPTION_ROW, options),
    OPTIONS_MODEL(options),
    {"models", 0, NULL, "print the table of models", OPTION_FLAG, offsetof(struct options, models),
	.flags = OPTION_OWN_PROCESS},
    OPTIONS_UNDER("When it is time"),
    OPTIONS_TRIGGERS(options),
    OPTIONS_UNDER("What is printed"),
    {"check", 0, NULL, "exit 1 when compaction is due", OPTION_FLAG,
	offsetof(struct options, check)},
    {"table", 0, NULL, "print only the budget, for people", OPTION_FLAG,
	offsetof(struct options, table), .not_with = "json brief"},
    {"json", 0, NULL, "print only the budget, as one JSON object", OPTION_FLAG,
	offsetof(struct options, json), .not_with = "brief"},
    {"brief", 0, NULL, "print only one line, for a prompt", OPTION_FLAG,
	offsetof(struct options, brief), .flags = OPTION_OWN_PROCESS, .not_with = "by cuts"},
    {"by", 0, "KEY", "break down by role, tool, session, agent, day, model or another KEY",
	OPTION_CHOICE, offsetof(struct options, by), breakdown_keys,
	offsetof(struct options, by_given)},
    {"top", 0, "N", "with --by: only the N largest", OPTION_COUNT, offsetof(struct options, top),
	.requires = "by"},
    {"cuts", 0, NULL, "list where the log can be cut, with tokens before and after", OPTION_FLAG,
	offsetof(struct options, cuts)},
    {"annotate", 0, NULL, "write each message's count as metadata.tokens", OPTION_FLAG,
	offsetof(struct options, annotate), .not_with = "table json brief by cuts each now"},
    {"color", 0, "WHEN", "colour in tables: auto (default), always or never", OPTION_CHOICE,
	offsetof(struct options, color), terminal_colors},
    OPTIONS_UNDER("What is read"),
    {"each", 0, NULL, "every operand is a session of its own", OPTION_FLAG,
	offsetof(struct options, each), .flags = OPTION_OWN_PROCESS,
	.not_with = "now by cuts when session-key"},
    {"now", 0, NULL, "the size of one file now, read from its end", OPTION_FLAG,
	offsetof(struct options, now), .flags = OPTION_OWN_PROCESS,
	.not_with = "by cuts annotate text session-key when max-tool-results max-messages "
		    "max-turns max-steps max-age max-section"},
    {"text", 0, NULL,
	"the input is plain text, and one message of the user; with --each, every file is",
	OPTION_FLAG, offsetof(struct options, text), .flags = OPTION_OWN_PROCESS,
	.not_with = "session-key"},
    OPTION_AGENTS(.requires = "table json brief by cuts each", .not_with = "now text"),
    OPTION_FORGOTTEN,
    OPTIONS_UNDER("Counting"),
    OPTIONS_ESTIMATOR(OPTION_ROW, options),
    {"verify", 0, NULL, "check the vocabularies of the exact encodings, and print which they are",
	OPTION_FLAG, offsetof(struct options, verify), .flags = OPTION_OWN_PROCESS},
    OPTIONS_COMMON,
    OPTIONS_END,
};

static enum report_form
form_of(const struct options *options)
{
	if (options->brief || (options->now && !options->json && !options->table))
		return FORM_BRIEF;
	if (options->json)
		return FORM_JSON;
	if (options->table || options->by_given || options->cuts || options->each)
		return FORM_TABLE;
	return terminal_is_output() && !options->annotate ? FORM_TABLE : FORM_STREAM;
}

/* Whether the first answer needs the whole session. */
static bool
is_held(const struct ctx_budget *all)
{
	return all->options.cuts || all->estimator.kind == ESTIMATOR_COMMAND ||
	    (all->when != NULL && selector_needs_session(all->when));
}

/* What the rows of the table do not say of each other. */
static void
check_options(const struct ctx_budget *all)
{
	const struct options *options = &all->options;

	if (options->now && strcmp(options->estimator.name, "usage") != 0)
		options_fail("--now requires --estimator=usage");
	if (options->each && is_held(all))
		options_fail("--each cannot be combined with --estimator=cmd:");
	if (options->common.session_key != NULL && (options->by_given || options->cuts) &&
	    !options->json)
		options_fail(
		    "--session-key with --%s requires --json", options->by_given ? "by" : "cuts");
}

/* Whether each of several texts has a line of its own, with its name, where one can be measured
 * without the others. */
static bool
is_brief_of_texts(const struct ctx_budget *all, int count)
{
	const struct options *options = &all->options;

	return options->text && options->brief && count > 1 && all->when == NULL &&
	    limits_check_estimator(&options->estimator) != ESTIMATOR_COMMAND;
}

static int
parse(void *self, int argc, char **argv)
{
	struct ctx_budget *all = self;
	struct options *options = &all->options;
	int first = options_parse(&budget_command, argc, argv, options);
	struct buf text = BUF_INIT;

	all->form = form_of(options);
	all->when = limits_check(&options->limits, &options->max_section);
	if (options->now && options->estimator.name == NULL)
		options->estimator.name = "usage";
	all->model = limits_choose_model(
	    &options->model, &all->models, &options->limits, &options->estimator);
	all->session_models =
	    limits_session_models(&options->model, &all->models, &options->limits);
	if (options->models) {
		models_write(&all->models, &text);
		options_print(&text, STATUS_OK);
	}
	if (options->verify) {
		enum status status = verify_all(&text);

		options_print(&text, status);
	}
	if (options->now && (argc - first != 1 || file_is_stdin(argv[first])))
		options_fail("--now needs one file");
	options->each = options->each || is_brief_of_texts(all, argc - first);
	options->common.apart = options->each;
	return first;
}

static void
open_session(void *self, void *session, struct stage **stages)
{
	struct ctx_budget *all = self;
	struct session_count *counting = session;
	const struct options *options = &all->options;

	all->newest = counting;
	measure_init(&counting->measure, &all->estimator, &options->limits, all->session_models,
	    options->by_given ? (enum breakdown_key)(options->by + 1) : BREAKDOWN_NONE);
	run_set_walk(&counting->measure.walk, &options->common);
	meter_init(&counting->meter, &counting->measure, all->when);
	counting->meter.passes = all->form == FORM_STREAM;
	counting->meter.annotates = options->annotate;
	if (is_held(all)) {
		scale_init(&counting->scale, &counting->meter);
		run_set_walk(&counting->scale.held.session.walk, &options->common);
		*stages++ = &counting->scale.held.stage;
	}
	*stages = &counting->meter.stage;
}

static void
free_session(void *self, void *session)
{
	struct session_count *counting = session;

	if (is_held(self))
		scale_free(&counting->scale);
	measure_free(&counting->measure);
	cuts_free(&counting->cuts);
}

/* Finishes the figures of a session, and writes its report. */
static void
finish_session(void *self, void *session)
{
	struct ctx_budget *all = self;
	struct session_count *counting = session;
	const char *name = sessions_label(all->run->sessions);

	if (all->options.each || fault_is_set(&all->run->fault))
		return;
	if (all->options.cuts)
		cuts_find(&counting->cuts, &counting->scale.held.session);
	session_report_write(all, &counting->measure, name, &counting->cuts);
}

static size_t
session_size(const void *self)
{
	return is_held(self) ? sizeof(struct session_count) : offsetof(struct session_count, scale);
}

/* A stream that passes waits for nothing. If the session is held, or only measured, forgotten
 * messages do not count. */
static enum command_forgotten
forgotten(const void *self)
{
	const struct ctx_budget *all = self;

	return all->form == FORM_STREAM && !is_held(all) ? COMMAND_FORGOTTEN_STAY :
							   COMMAND_FORGOTTEN_PASS;
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_budget *all = self;
	struct options *options = &all->options;

	all->run = run;
	limits_open_estimator(&all->estimator, &options->estimator, &options->common, &run->fault);
	check_options(all);
	if (options->each)
		each_init(&all->each, run, &all->estimator, &options->limits, all->session_models);
}

/* What only prints the budget needs no canonical lines. */
static bool
reads_all(const void *self)
{
	const struct ctx_budget *all = self;

	return all->form != FORM_STREAM && !all->options.text && !all->options.now;
}

static void
free_all(void *self)
{
	struct ctx_budget *all = self;

	estimator_close(&all->estimator);
	selector_free(all->when);
	models_free(&all->models);
	each_free(&all->each);
}

/* Passes the end of the log to the meter. The figure in the log counts for all before it. */
static void
measure_now(struct ctx_budget *all, char *path)
{
	struct estimator *estimator = &all->estimator;
	struct stage *stages[2];
	struct session_count counting = {.cuts = {.count = 0}};
	struct figure figure;
	bool is_strange;

	open_session(all, &counting, stages);
	counting.measure.fit.is_tail = true;
	is_strange = now_read(path, all->options.common.forgotten == FORGOTTEN_HIDE, stages[0],
	    &figure, &all->run->fault);
	if (figure.kind != FIGURE_ANSWER)
		estimator->kind = ESTIMATOR_O200K;
	if (figure.kind == FIGURE_NONE)
		estimator->name = "o200k_base";
	estimator->offset = (int64_t)figure.tokens;
	if (counting.measure.system == 0)
		counting.measure.system = figure.system;
	if (is_strange && figure.kind == FIGURE_NONE)
		source_drain(&all->run->source);
	if (!fault_is_set(&all->run->fault))
		session_report_write(all, &counting.measure, NULL, &counting.cuts);
	free_session(all, &counting);
}

/* With --each, messages are counted in the measure of the operand that is read, as soon as all held
 * messages of the operand before were counted in that one's measure. */
static void
begin_session(struct ctx_budget *all)
{
	unsigned begun = all->each.begun;
	struct measure *measure;

	if (!all->options.each)
		return;
	measure = each_measure(&all->each);
	if (all->each.begun > begun)
		sessions_part(all->run->sessions);
	all->newest->meter.measure = measure;
}

/* Passes the text of each operand, or of all together, to the meter. */
static void
measure_text(struct ctx_budget *all)
{
	struct input *in = &all->run->source.in;
	struct plain_text text = PLAIN_TEXT_INIT;

	while (input_fill(in)) {
		if (all->options.each && in->operand_next > all->each.begun)
			plain_text_end(&text, all->run);
		begin_session(all);
		plain_text_add(&text, all->run);
	}
	plain_text_end(&text, all->run);
}

/* Takes the whole stream through the meters of its sessions. */
static void
measure_all(struct ctx_budget *all)
{
	struct run *run = all->run;
	struct sessions sessions;

	sessions_open(&sessions, run, &budget_command, all);
	if (all->options.text)
		measure_text(all);
	while (run_read(run)) {
		begin_session(all);
		while (run_take(run))
			;
	}
	sessions_end(&sessions);
	if (all->options.each)
		each_end(&all->each);
	if (all->options.each && !fault_is_set(&run->fault))
		session_report_write_each(all);
	sessions_free(&sessions);
}

/* Does all work that is not passing the stream: reading only the end of a file, or acting between
 * reads. */
static bool
run_alone(void *self)
{
	struct ctx_budget *all = self;
	const struct options *options = &all->options;

	if (options->now)
		measure_now(all, all->run->source.in.operand[0]);
	else if (options->each || options->text)
		measure_all(all);
	else
		return false;
	return true;
}

static const char *const essential[] = {
    "window", "limit", "soft", "model", "check", "json", "brief", "by", "each", "now", NULL};

const struct command budget_command = {.name = "ctx-budget",
    .synopsis = "[option]... [file]...",
    .purpose = "Tell what the context costs and what the window has left.",
    .kind = COMMAND_FILTER,
    .options = table,
    .essential = essential,
    .examples = {"ctx-budget --by tool --top 10 log.jsonl",
	"ctx-budget --check --brief --soft 100k log.jsonl"},
    .statuses = {0, 1, 64, 65, 66, 69, 71, 73, 74, 78},
    .no = "--check: compaction is due",
    .only_looks = "--table, --brief or --json",
    .run = {.size = sizeof(struct ctx_budget),
	.parse = parse,
	.open = open_run,
	.reads_all = reads_all,
	.whole = run_alone,
	.free = free_all},
    .session = {.size_of = session_size,
	.stages = open_session,
	.finish = finish_session,
	.free = free_session,
	.forgotten = forgotten}};
