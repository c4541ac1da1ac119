/*
 * ctx-budget passes the stream and writes the session's budget record behind it: what the window
 * holds, what is used, reserved and left, and whether compaction is due. In memory are the
 * record that is read, the ids of calls without a result, and a row for each value that --by
 * tells apart. With --cuts, a command as estimator, or a --when that looks at more than messages,
 * the whole session is held.
 */
#include <unistd.h>

#include "../runners.h"
#include "cuts.h"
#include "each.h"
#include "face/limits.h"
#include "face/sessions.h"
#include "live.h"
#include "meter.h"
#include "miss.h"
#include "now.h"
#include "plain.h"
#include "report.h"
#include "terminal.h"
#include "verify.h"

struct options {
	struct common_options common;
	struct budget_limits limits;
	struct option_list max_section;
	struct estimator_options estimator;
	struct model_options model;
	bool models;
	bool verify;
	bool text;
	bool table, json, tsv, brief;
	uint64_t every;
	bool now;
	int by;
	bool by_given;
	uint64_t top;
	bool cuts;
	bool each;
	const char *against;
	bool annotate;
	bool check;
	int color;
};

static const struct option table[] = {
    OPTIONS_LIMITS(options),
    OPTIONS_MODEL(options),
    {"models", 0, NULL, "print the table of models", OPTION_FLAG, offsetof(struct options, models),
	NULL, 0},
    OPTIONS_ESTIMATOR(options),
    {"verify", 0, NULL, "check the vocabularies of the exact encodings, and print which they are",
	OPTION_FLAG, offsetof(struct options, verify), NULL, 0},
    OPTIONS_TRIGGERS(options),
    {"text", 0, NULL, "the input is plain text, and one message of the user", OPTION_FLAG,
	offsetof(struct options, text), NULL, 0},
    {"table", 0, NULL, "print only the budget, for people", OPTION_FLAG,
	offsetof(struct options, table), NULL, 0},
    {"json", 0, NULL, "print only the budget, as one JSON object", OPTION_FLAG,
	offsetof(struct options, json), NULL, 0},
    {"tsv", 0, NULL, "print only the budget, tab-separated", OPTION_FLAG,
	offsetof(struct options, tsv), NULL, 0},
    {"brief", 0, NULL, "print only one short line, for a prompt or a status bar", OPTION_FLAG,
	offsetof(struct options, brief), NULL, 0},
    {"every", 0, "SECONDS", "with --brief: repaint while the input goes on", OPTION_COUNT,
	offsetof(struct options, every), NULL, 0},
    {"now", 0, NULL, "of one file, read from its end: what was last reported, and what follows",
	OPTION_FLAG, offsetof(struct options, now), NULL, 0},
    {"by", 0, "KEY", "break down by role, tool, session, agent, day, model or another KEY",
	OPTION_CHOICE, offsetof(struct options, by), breakdown_keys,
	offsetof(struct options, by_given)},
    {"top", 0, "N", "with --by: only the N largest", OPTION_COUNT, offsetof(struct options, top),
	NULL, 0},
    {"cuts", 0, NULL, "list where the log can be cut, with tokens before and after", OPTION_FLAG,
	offsetof(struct options, cuts), NULL, 0},
    {"each", 0, NULL, "every operand is a session of its own", OPTION_FLAG,
	offsetof(struct options, each), NULL, 0},
    {"against", 0, "PREV", "name the first part that differs from an earlier request or log",
	OPTION_FILE, offsetof(struct options, against), NULL, 0},
    {"annotate", 0, NULL, "write each message's count as metadata.tokens", OPTION_FLAG,
	offsetof(struct options, annotate), NULL, 0},
    {"check", 0, NULL, "exit 1 when compaction is due", OPTION_FLAG,
	offsetof(struct options, check), NULL, 0},
    {"color", 0, "WHEN", "colour in tables: auto (default), always or never", OPTION_CHOICE,
	offsetof(struct options, color), terminal_colors, 0},
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-budget", "[option]... [file]...",
    "Tell what the context costs and what the window has left.", table,
    {"ctx-budget --by tool --top 10 log.jsonl", "ctx-budget --check --brief --soft 100k log.jsonl"},
    {0, 1, 64, 65, 66, 69, 71, 73, 74, 78},
    "--check: compaction is due; --against: they differ before the end of PREV"};

/* One session. Of very many, each has the scale only where it is held. */
struct counting {
	struct meter meter;
	struct measure measure;
	struct cuts cuts;
	struct scale scale;
};

/* The state of one run. */
struct job {
	struct options options;
	enum report_form form;
	struct run *run;
	struct estimator estimator;
	struct models models;
	const struct model *model;
	struct selector *when;
	struct counting *newest; /* the session that began last; without --session-key the one */
	bool has_written;        /* a report was written */
	struct each each;
	struct live live;
};

static enum report_form
form_of(const struct options *options)
{
	if (options->table + options->json + options->tsv + options->brief > 1)
		options_fail("--table, --json, --tsv and --brief exclude each other");
	if (options->every > 0 && !options->brief)
		options_fail("--every goes with --brief");
	if (options->top > 0 && !options->by_given)
		options_fail("--top goes with --by");
	if (options->brief && (options->by_given || options->cuts))
		options_fail("--brief has no room for --by and --cuts");
	if (options->tsv && options->by_given && options->cuts)
		options_fail("--tsv prints one table, of --by or --cuts");
	if (options->brief || (options->now && !options->json && !options->tsv && !options->table))
		return FORM_BRIEF;
	if (options->json || options->tsv)
		return options->json ? FORM_JSON : FORM_TSV;
	if (options->table || options->by_given || options->cuts || options->each ||
	    options->against != NULL)
		return FORM_TABLE;
	return terminal_is_output() && !options->annotate ? FORM_TABLE : FORM_STREAM;
}

static _Noreturn void
print_models(const struct models *models)
{
	struct buf text = BUF_INIT;

	models_write(models, &text);
	options_print(&text, STATUS_OK);
}

static _Noreturn void
print_vocabularies(void)
{
	struct buf text = BUF_INIT;
	enum status status = verify_all(&text);

	options_print(&text, status);
}

/* Whether the first answer needs the whole session. */
static bool
is_held(const struct job *job)
{
	return job->options.cuts || job->estimator.kind == ESTIMATOR_COMMAND ||
	    (job->when != NULL && selector_needs_session(job->when));
}

/* What --now cannot answer: it sees the end of the log only. */
static void
check_now(const struct options *options)
{
	if (options->by_given || options->cuts || options->annotate || options->every > 0 ||
	    options->text)
		options_fail("--now goes without --by, --cuts, --annotate, --every and --text");
	if (budget_has_trigger(&options->limits))
		options_fail("--now goes without --when and the options of --max-");
	if (strcmp(options->estimator.name, "usage") != 0)
		options_fail("--now counts as --estimator usage does");
}

/* Many sessions are many rows. */
static void
check_keyed(const struct job *job)
{
	const struct options *options = &job->options;

	if (options->each || options->now || options->text || options->every > 0)
		options_fail("--session-key goes without --each, --now, --text and --every");
	if ((options->by_given || options->cuts) && job->form != FORM_JSON)
		options_fail("--session-key goes with --by and --cuts in --json only");
}

static void
check_options(const struct job *job)
{
	const struct options *options = &job->options;

	if (options->each &&
	    (options->now || options->by_given || options->cuts || options->every > 0))
		options_fail("--each goes without --now, --by, --cuts and --every");
	if (options->each && (is_held(job) || job->when != NULL || options->text))
		options_fail("--each goes without --when, --text and cmd:, which hold one session");

	if (options->common.session_key != NULL)
		check_keyed(job);
	if (options->annotate && job->form != FORM_STREAM)
		options_fail("--annotate goes with the stream, not with --table or its like");
	if (options->now)
		check_now(options);
	if (options->every > 0 && (is_held(job) || options->text))
		options_fail("--every goes without --text, cmd: and such a --when, which need all "
			     "of the input");
}

/* A comparison says nothing of a window. */
static void
check_against(const struct options *options)
{
	static const char *const names[] = {"against", "model", "provider", "models-file",
	    "estimator", "image-tokens", "command-timeout", "table", "json", "tsv", "brief",
	    "color", "steering", "tool", "bad-lines", "bad-file", "max-line", "report", "verbose",
	    NULL};

	if (options->against != NULL)
		options_check_only(&command, &options->common, "--against", names);
}

/* Whether standard input is one of the operands. */
static bool
reads_input(char *const *operand, int count)
{
	bool is_there = count == 0;

	for (int i = 0; i < count; i++)
		is_there |= strcmp(operand[i], "-") == 0;
	return is_there;
}

static void
check_operands(const struct options *options, char *const *operand, int count)
{
	if (options->now && (count != 1 || strcmp(operand[0], "-") == 0))
		options_fail("--now needs one file");
	if (options->against != NULL && reads_input(operand, count) &&
	    strcmp(options->against, "-") == 0)
		options_fail("--against - needs a file to compare standard input with");
}

static int
parse(void *self, int argc, char **argv)
{
	struct job *job = self;
	struct options *options = &job->options;
	int first = options_parse(&command, argc, argv, options);

	check_against(options);
	job->form = form_of(options);
	job->when = limits_check(&options->limits, &options->max_section);
	if (options->now && options->estimator.name == NULL)
		options->estimator.name = "usage";
	job->model = limits_choose_model(
	    &options->model, &job->models, &options->limits, &options->estimator);
	if (options->models)
		print_models(&job->models);
	if (options->verify)
		print_vocabularies();
	check_operands(options, argv + first, argc - first);
	return first;
}

static void
open_session(void *owner, void *session, struct stage **stages)
{
	struct job *job = owner;
	struct counting *counting = session;
	const struct options *options = &job->options;

	job->newest = counting;
	measure_init(&counting->measure, &job->estimator, &options->limits,
	    options->by_given ? (enum breakdown_key)(options->by + 1) : BREAKDOWN_NONE);
	run_set_walk(&counting->measure.walk, &options->common);
	meter_init(&counting->meter, &counting->measure, job->when);
	counting->meter.passes = job->form == FORM_STREAM;
	counting->meter.annotates = options->annotate;
	if (is_held(job)) {
		scale_init(&counting->scale, &counting->meter);
		run_set_walk(&counting->scale.held.session.walk, &options->common);
		*stages++ = &counting->scale.held.stage;
	}
	*stages = &counting->meter.stage;
}

static void
close_session(void *owner, void *session)
{
	struct counting *counting = session;

	if (is_held(owner))
		scale_free(&counting->scale);
	measure_free(&counting->measure);
	cuts_free(&counting->cuts);
}

static void
write_form(const struct job *job, const struct report *report, bool is_next, struct buf *text)
{
	struct terminal terminal;

	switch (job->form) {
	case FORM_TABLE:
		terminal_init(&terminal, (enum color)job->options.color);
		if (report->name != NULL)
			report_write_row(report, &terminal, is_next, text);
		else
			report_write_table(report, &terminal, text);
		break;
	case FORM_TSV:
		report_write_tsv(report, is_next, text);
		break;
	case FORM_BRIEF:
		report_write_brief(report, text);
		break;
	default:
		report_write_json(report, text);
	}
}

/* Paints the line of --brief. */
static void
paint(struct job *job)
{
	struct estimator fitted;
	struct budget budget;
	struct report report = {
	    .budget = &budget, .estimator = &fitted, .measure = &job->newest->measure};
	struct buf line = BUF_INIT;

	measure_budget(&job->newest->measure, &budget, &fitted);
	report_write_brief(&report, &line);
	live_paint(&job->live, buf_str(&line));
	buf_free(&line);
}

static void
warn_unfitted(const struct job *job, enum fit_result result, const struct estimator *estimator,
    const struct measure *measure, const char *file)
{
	if (file == NULL)
		limits_warn_unfitted(
		    &job->options.estimator, result, estimator, fit_points(&measure->fit));
	else if (result == FIT_FOREIGN)
		diag_warn_at(file, 0,
		    "the reported usage is of more than this stream has: "
		    "counted with %s",
		    estimator->name);
	else if (result == FIT_TOO_FEW)
		diag_warn_at(
		    file, 0, "too little usage to learn from: counted with %s", estimator->name);
}

/* Says which of several sessions --check finds due; file is NULL when diagnostics name it. */
static void
say_due(const char *file, const struct budget *budget)
{
	struct buf reasons = BUF_INIT;

	report_write_reasons(budget, &reasons);
	diag_warn_at(file, 0, "compaction is due:%.*s", STR_ARG(buf_str(&reasons)));
	buf_free(&reasons);
}

/* Says how many messages are not counted, since they are of other agents. */
static void
say_outside(const struct job *job, const struct measure *measure, const char *file)
{
	uint64_t count = measure->outside;

	if (count > 0 && !breakdown_has_all(&measure->breakdown) && !job->options.now)
		diag_warn_at(file, 0, "%ju message%s of other agents not counted", (uintmax_t)count,
		    count == 1 ? "" : "s");
}

/* Writes what a form has made: a record, or lines for people. */
static void
put_form(struct job *job, struct buf *text)
{
	bool is_record = job->form == FORM_STREAM || job->form == FORM_JSON;

	if (text->len > 0 && job->form != FORM_STREAM && text->ptr[text->len - 1] != '\n')
		buf_add_char(text, '\n');
	if (text->len > 0 && is_record && job->run->is_keyed) {
		buf_pad(text);
		sessions_add(job->run->sessions, buf_str(text));
	} else if (text->len > 0) {
		run_add(job->run, buf_str(text));
	}
	job->has_written = true;
}

/* Writes the report of the session that was measured, in the form that was asked for. name is that
 * of the session when there are others. */
static void
write_report(struct job *job, struct measure *measure, const char *name, const struct cuts *cuts)
{
	bool is_keyed = job->run->is_keyed;
	const char *file = is_keyed ? NULL : name;
	enum fit_result result;
	struct estimator fitted;
	struct budget budget;
	struct report report = {.name = name,
	    .is_keyed = is_keyed,
	    .budget = &budget,
	    .estimator = &fitted,
	    .measure = measure,
	    .model = job->model,
	    .cuts = cuts->list,
	    .cut_count = cuts->count,
	    .has_cuts = job->options.cuts};
	struct buf text = BUF_INIT;

	result = measure_budget(measure, &budget, &fitted);
	warn_unfitted(job, result, &fitted, measure, file);
	say_outside(job, measure, file);
	breakdown_sort(&measure->breakdown, job->options.top);
	report_set_price(&report);
	if (job->form != FORM_BRIEF || job->options.now || name != NULL)
		write_form(job, &report, job->has_written, &text);
	put_form(job, &text);
	if (job->options.check && budget.compact) {
		run_fail(job->run, STATUS_NO);
		if (name != NULL)
			say_due(file, &budget);
	}
	buf_free(&text);
}

/* Writes the report of each session, in the order of the operands. */
static void
write_reports(struct job *job)
{
	static const struct cuts none;

	job->run->any_dialect = true; /* each session is judged here */
	for (unsigned i = 0; i < job->each.count; i++) {
		struct each_session *session = &job->each.session[i];

		write_report(job, &session->measure, session->file, &none);
		if (session->is_foreign) {
			source_say_nothing(&job->run->source, session->looks_like, session->file);
			run_fail(job->run, STATUS_DATA);
		}
	}
}

/* Finds what is to be said of a session, and says it. */
static void
finish_session(void *owner, void *session)
{
	struct job *job = owner;
	struct counting *counting = session;
	const char *name = sessions_label(job->run->sessions);

	if (job->options.each || fault_is_set(&job->run->fault))
		return;
	if (job->options.cuts)
		cuts_find(&counting->cuts, &counting->scale.held.session);
	if (job->form == FORM_BRIEF && name == NULL) {
		paint(job);
		live_end(&job->live);
	}
	write_report(job, &counting->measure, name, &counting->cuts);
}

static struct session_kind
kind_of(const struct job *job)
{
	return (struct session_kind){
	    is_held(job) ? sizeof(struct counting) : offsetof(struct counting, scale), open_session,
	    finish_session, close_session, NULL, SESSIONS_KEYS_ADDED};
}

static struct session_kind
open_run(void *self, struct run *run)
{
	struct job *job = self;
	const struct options *options = &job->options;

	job->run = run;
	limits_open_estimator(&job->estimator, &options->estimator, &run->fault);
	check_options(job);
	limits_check_outputs(&job->estimator, &options->common);
	if (options->each)
		each_init(&job->each, &run->source, &job->estimator, &options->limits);
	live_start(&job->live, &run->sink.out, options->every);
	return kind_of(job);
}

static void
free_job(void *self)
{
	struct job *job = self;

	estimator_close(&job->estimator);
	selector_free(job->when);
	models_free(&job->models);
	each_free(&job->each);
}

/* Takes the end of the log through the meter. What was reported stands for what is before it. */
static void
measure_now(struct job *job, const char *path)
{
	struct estimator *estimator = &job->estimator;
	struct stage *stages[2];
	struct counting counting = {.cuts = {.count = 0}};
	struct figure figure;
	bool is_strange;

	open_session(job, &counting, stages);
	counting.measure.fit.is_tail = true;
	is_strange = now_read(path, stages[0], &figure, &job->run->fault);
	if (figure.kind != FIGURE_ANSWER)
		estimator->kind = ESTIMATOR_O200K;
	if (figure.kind == FIGURE_NONE)
		estimator->name = "o200k_base";
	estimator->offset = (int64_t)figure.tokens;
	if (counting.measure.system == 0)
		counting.measure.system = figure.system;
	if (is_strange && figure.kind == FIGURE_NONE)
		source_tell(&job->run->source);
	if (!fault_is_set(&job->run->fault))
		write_report(job, &counting.measure, NULL, &counting.cuts);
	close_session(job, &counting);
}

/* Takes the whole stream through the meters of its sessions. */
static void
measure_all(struct job *job)
{
	const struct session_kind kind = kind_of(job);
	struct run *run = job->run;
	struct sessions sessions;

	sessions_open(&sessions, run, &kind, job);
	if (job->options.text)
		plain_take(run);
	for (;;) {
		if (live_is_due(&job->live, &run->source.in))
			paint(job);
		if (!run_read(run))
			break;
		if (job->options.each)
			job->newest->meter.measure = each_measure(&job->each, &run->source);
		while (run_take(run))
			job->live.dirty = true;
	}
	sessions_end(&sessions);
	if (job->options.each)
		each_end(&job->each, &run->source);
	if (job->options.each && !fault_is_set(&run->fault))
		write_reports(job);
	sessions_free(&sessions);
}

/* What more is asked for than to pass the stream: to compare, to look at the end of a file only, or
 * to do something between reads. */
static bool
run_alone(void *self)
{
	struct job *job = self;
	const struct options *options = &job->options;

	if (options->against != NULL)
		miss_tell(job->run, options->against,
		    &(struct miss_how){.form = job->form,
			.color = (enum color)options->color,
			.estimator = &job->estimator,
			.model = job->model});
	else if (options->now)
		measure_now(job, job->run->source.in.operand[0]);
	else if (options->each || options->text || options->every > 0)
		measure_all(job);
	else
		return false;
	return true;
}

static const char *const alone[] = {
    "against", "now", "each", "text", "every", "brief", "models", "verify", NULL};

const struct runner budget_runner = {.name = "ctx-budget",
    .command = &command,
    .size = sizeof(struct job),
    .parse = parse,
    .open = open_run,
    .run_alone = run_alone,
    .free = free_job,
    .alone = alone};
