/*
 * ctx-budget passes the stream and writes the session's budget record behind it: what the window
 * holds, what is used, reserved and left, and whether compaction is due. In memory are the
 * record that is read, the ids of calls without a result, and a row for each value that --by
 * tells apart. With --cuts, a command as estimator, or a --when that looks at more than messages,
 * the whole session is held.
 */
#include <unistd.h>

#include "../commands.h"
#include "cuts.h"
#include "each.h"
#include "face/choices/limits.h"
#include "face/sessions.h"
#include "meter.h"
#include "now.h"
#include "plain_text.h"
#include "report.h"
#include "face/terminal/terminal.h"
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
	bool table, json, brief;
	bool now;
	int by;
	bool by_given;
	uint64_t top;
	bool cuts;
	bool each;
	bool annotate;
	bool check;
	int color;
};

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
    {"now", 0, NULL, "of one file, read from its end: its size now", OPTION_FLAG,
	offsetof(struct options, now), .flags = OPTION_OWN_PROCESS,
	.not_with = "by cuts annotate text session-key when max-tool-results max-messages "
		    "max-turns max-steps max-age max-section"},
    {"text", 0, NULL,
	"the input is plain text, and one message of the user; with --each, every file is",
	OPTION_FLAG, offsetof(struct options, text), .flags = OPTION_OWN_PROCESS,
	.not_with = "session-key"},
    OPTIONS_UNDER("Counting"),
    OPTIONS_ESTIMATOR(OPTION_ROW, options),
    {"verify", 0, NULL, "check the vocabularies of the exact encodings, and print which they are",
	OPTION_FLAG, offsetof(struct options, verify), .flags = OPTION_OWN_PROCESS},
    OPTIONS_COMMON,
    OPTIONS_END,
};

/* One session. Of very many, each has the scale only where it is held. */
struct counting {
	struct meter meter;
	struct measure measure;
	struct cuts cuts;
	struct scale scale;
};

/* One run. */
struct ctx_budget {
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

static void
check_operands(const struct options *options, char *const *operand, int count)
{
	if (options->now && (count != 1 || strcmp(operand[0], "-") == 0))
		options_fail("--now needs one file");
}

static int
parse(void *self, int argc, char **argv)
{
	struct ctx_budget *all = self;
	struct options *options = &all->options;
	int first = options_parse(&budget_command, argc, argv, options);

	all->form = form_of(options);
	all->when = limits_check(&options->limits, &options->max_section);
	if (options->now && options->estimator.name == NULL)
		options->estimator.name = "usage";
	all->model = limits_choose_model(
	    &options->model, &all->models, &options->limits, &options->estimator);
	if (options->models)
		print_models(&all->models);
	if (options->verify)
		print_vocabularies();
	check_operands(options, argv + first, argc - first);
	return first;
}

static void
open_session(void *self, void *session, struct stage **stages)
{
	struct ctx_budget *all = self;
	struct counting *counting = session;
	const struct options *options = &all->options;

	all->newest = counting;
	measure_init(&counting->measure, &all->estimator, &options->limits,
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
	struct counting *counting = session;

	if (is_held(self))
		scale_free(&counting->scale);
	measure_free(&counting->measure);
	cuts_free(&counting->cuts);
}

static void
write_form(
    const struct ctx_budget *all, const struct report *report, bool is_next, struct buf *text)
{
	struct terminal terminal;

	switch (all->form) {
	case FORM_TABLE:
		terminal_init(&terminal, (enum color)all->options.color);
		if (report->name != NULL)
			report_write_row(report, &terminal, is_next, text);
		else
			report_write_table(report, &terminal, text);
		break;
	case FORM_BRIEF:
		report_write_brief(report, text);
		break;
	default:
		report_write_json(report, text);
	}
}

static void
warn_unfitted(const struct ctx_budget *all, enum fit_result result,
    const struct estimator *estimator, const struct measure *measure, const char *file)
{
	if (file == NULL)
		limits_warn_unfitted(
		    &all->options.estimator, result, estimator, fit_points(&measure->fit));
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
say_outside(const struct ctx_budget *all, const struct measure *measure, const char *file)
{
	uint64_t count = measure->outside;

	if (count > 0 && !breakdown_has_all(&measure->breakdown) && !all->options.now)
		diag_warn_at(file, 0, "%ju message%s of other agents not counted", (uintmax_t)count,
		    count == 1 ? "" : "s");
}

/* Writes what a form has made: a record, or lines for people. */
static void
put_form(struct ctx_budget *all, struct buf *text)
{
	bool is_record = all->form == FORM_STREAM || all->form == FORM_JSON;

	if (text->len > 0 && all->form != FORM_STREAM && text->ptr[text->len - 1] != '\n')
		buf_add_char(text, '\n');
	if (text->len > 0 && is_record && all->run->is_keyed) {
		buf_pad(text);
		sessions_add(all->run->sessions, buf_str(text));
	} else if (text->len > 0) {
		run_add(all->run, buf_str(text));
	}
	all->has_written = true;
}

/* Writes the report of the session that was measured, in the form that was asked for. name is that
 * of the session when there are others. */
static void
write_report(
    struct ctx_budget *all, struct measure *measure, const char *name, const struct cuts *cuts)
{
	bool is_keyed = all->run->is_keyed;
	const char *file = is_keyed ? NULL : name;
	enum fit_result result;
	struct estimator fitted;
	struct budget budget;
	struct report report = {.name = name,
	    .is_keyed = is_keyed,
	    .budget = &budget,
	    .estimator = &fitted,
	    .measure = measure,
	    .model = all->model,
	    .cuts = cuts->list,
	    .cut_count = cuts->count,
	    .has_cuts = all->options.cuts};
	struct buf text = BUF_INIT;

	result = measure_budget(measure, &budget, &fitted);
	warn_unfitted(all, result, &fitted, measure, file);
	say_outside(all, measure, file);
	breakdown_sort(&measure->breakdown, all->options.top);
	report_set_price(&report);
	write_form(all, &report, all->has_written, &text);
	put_form(all, &text);
	if (all->options.check && budget.compact) {
		run_fail(all->run, STATUS_NO);
		if (name != NULL)
			say_due(file, &budget);
	}
	buf_free(&text);
}

/* Writes the report of each session, in the order of the operands. */
static void
write_reports(struct ctx_budget *all)
{
	static const struct cuts none;

	all->run->source.any_dialect = true; /* each session is judged here */
	for (unsigned i = 0; i < all->each.count; i++) {
		struct each_session *session = &all->each.session[i];

		write_report(all, &session->measure, session->file, &none);
		if (session->is_foreign)
			source_say_nothing(&all->run->source, session->looks_like, session->file);
		if (session->is_foreign || session->is_odd)
			run_fail(all->run, STATUS_DATA);
	}
}

/* Finds what is to be said of a session, and says it. */
static void
finish_session(void *self, void *session)
{
	struct ctx_budget *all = self;
	struct counting *counting = session;
	const char *name = sessions_label(all->run->sessions);

	if (all->options.each || fault_is_set(&all->run->fault))
		return;
	if (all->options.cuts)
		cuts_find(&counting->cuts, &counting->scale.held.session);
	write_report(all, &counting->measure, name, &counting->cuts);
}

static size_t
session_size(const void *self)
{
	return is_held(self) ? sizeof(struct counting) : offsetof(struct counting, scale);
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_budget *all = self;
	const struct options *options = &all->options;

	all->run = run;
	limits_open_estimator(&all->estimator, &options->estimator, &run->fault);
	check_options(all);
	limits_check_outputs(&all->estimator, &options->common);
	if (options->each)
		each_init(&all->each, &run->source, &all->estimator, &options->limits);
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

/* Takes the end of the log through the meter. What was reported stands for what is before it. */
static void
measure_now(struct ctx_budget *all, const char *path)
{
	struct estimator *estimator = &all->estimator;
	struct stage *stages[2];
	struct counting counting = {.cuts = {.count = 0}};
	struct figure figure;
	bool is_strange;

	open_session(all, &counting, stages);
	counting.measure.fit.is_tail = true;
	is_strange = now_read(path, stages[0], &figure, &all->run->fault);
	if (figure.kind != FIGURE_ANSWER)
		estimator->kind = ESTIMATOR_O200K;
	if (figure.kind == FIGURE_NONE)
		estimator->name = "o200k_base";
	estimator->offset = (int64_t)figure.tokens;
	if (counting.measure.system == 0)
		counting.measure.system = figure.system;
	if (is_strange && figure.kind == FIGURE_NONE)
		source_tell(&all->run->source);
	if (!fault_is_set(&all->run->fault))
		write_report(all, &counting.measure, NULL, &counting.cuts);
	free_session(all, &counting);
}

/* With --each, the measure of the operand that is read takes what comes. */
static void
begin_session(struct ctx_budget *all)
{
	if (all->options.each)
		all->newest->meter.measure = each_measure(&all->each, &all->run->source);
}

/* Takes the text of each operand, or that of all, through the meter. */
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
		each_end(&all->each, &run->source);
	if (all->options.each && !fault_is_set(&run->fault))
		write_reports(all);
	sessions_free(&sessions);
}

/* What more is asked for than to pass the stream: to look at the end of a file only, or
 * to do something between reads. */
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
    .run = {.size = sizeof(struct ctx_budget),
	.parse = parse,
	.open = open_run,
	.whole = run_alone,
	.free = free_all},
    .session = {.size = session_size,
	.stages = open_session,
	.finish = finish_session,
	.free = free_session}};
