/*
 * ctx-budget passes the stream and writes the session's budget record behind it: what the window
 * holds, what is used, reserved and left, and whether compaction is due. It holds the record that
 * it reads, the ids of calls without a result, and a row for each value that --by tells apart;
 * --cuts, --when and a command as estimator hold the session.
 */
#include <stdlib.h>
#include <unistd.h>

#include "annotate.h"
#include "base/mem.h"
#include "cuts.h"
#include "data/change.h"
#include "data/selector.h"
#include "face/filter.h"
#include "face/limits.h"
#include "live.h"
#include "report.h"
#include "terminal.h"

enum form { FORM_STREAM, FORM_TABLE, FORM_JSON, FORM_TSV, FORM_BRIEF };

struct options {
	struct common_options common;
	struct budget_limits limits;
	struct estimator_options estimator;
	struct triggers triggers;
	const char *max_age;
	const char *when;
	const char *model;
	const char *models_file;
	bool models;
	bool table, json, tsv, brief;
	uint64_t every;
	int by;
	bool by_given;
	uint64_t top;
	bool cuts;
	bool annotate;
	bool check;
};

static const struct option table[] = {
    OPTIONS_LIMITS(options),
    {"model", 'm', "NAME", "take window, output reserve and encoding of that model",
	OPTION_STRING, offsetof(struct options, model), NULL, 0},
    {"models", 0, NULL, "print the table of models", OPTION_FLAG,
	offsetof(struct options, models), NULL, 0},
    {"models-file", 0, "FILE", "more models, tab-separated as --models prints them",
	OPTION_FILE, offsetof(struct options, models_file), NULL, 0},
    OPTIONS_ESTIMATOR(options),
    {"max-tool-results", 0, "N", "compact when more tool results stand uncompacted",
	OPTION_COUNT, offsetof(struct options, triggers.tool_results), NULL, 0},
    {"max-messages", 0, "N", "compact when there are more messages", OPTION_COUNT,
	offsetof(struct options, triggers.messages), NULL, 0},
    {"max-turns", 0, "N", "compact when there are more turns", OPTION_COUNT,
	offsetof(struct options, triggers.turns), NULL, 0},
    {"max-steps", 0, "N", "compact when the newest execution has more steps", OPTION_COUNT,
	offsetof(struct options, triggers.steps), NULL, 0},
    {"max-age", 0, "TIME", "compact when the log spans more time: 90s, 30m, 2h or 1d",
	OPTION_STRING, offsetof(struct options, max_age), NULL, 0},
    {"when", 0, "SELECTOR>N", "compact when more than N messages are selected", OPTION_STRING,
	offsetof(struct options, when), NULL, 0},
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
    {"by", 0, "KEY",
	"break down by role, tool, kind, section, turn, execution, session or message",
	OPTION_CHOICE, offsetof(struct options, by), breakdown_keys,
	offsetof(struct options, by_given)},
    {"top", 0, "N", "with --by: only the N largest", OPTION_COUNT,
	offsetof(struct options, top), NULL, 0},
    {"cuts", 0, NULL, "list where the log can be cut, with tokens before and after",
	OPTION_FLAG, offsetof(struct options, cuts), NULL, 0},
    {"annotate", 0, NULL, "write each message's count as metadata.tokens", OPTION_FLAG,
	offsetof(struct options, annotate), NULL, 0},
    {"check", 0, NULL, "exit 1 when compaction is due", OPTION_FLAG,
	offsetof(struct options, check), NULL, 0},
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-budget", "[option]... [file]...",
    "Tell what the context costs and what the window has left.", table};

/* One run. */
struct run {
	const struct options *options;
	enum form form;
	struct filter filter;
	struct estimator estimator;
	struct measure measure;
	struct models models;
	const struct model *model;
	struct selector *when;
	uint64_t when_most;
	bool when_fired;
	struct cuts cuts;
	struct buf text; /* an annotated record */
	struct fault fault;
};

static enum form
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
	if (options->brief)
		return FORM_BRIEF;
	if (options->json || options->tsv)
		return options->json ? FORM_JSON : FORM_TSV;
	return options->table || options->by_given || options->cuts ? FORM_TABLE : FORM_STREAM;
}

/* "SELECTOR>N", split at the last ">". */
static void
parse_when(struct run *run, const char *text)
{
	const char *mark = strrchr(text, '>');
	struct buf message = BUF_INIT;
	char *selector;

	if (mark == NULL || !number_parse(mark + 1, &run->when_most))
		options_fail("bad value '%s' of --when, expected SELECTOR>N", text);
	selector = strndup(text, (size_t)(mark - text));
	if (selector == NULL)
		mem_exhausted();
	run->when = selector_parse(selector, &message);
	if (run->when == NULL)
		options_fail("bad value '%s' of --when: %.*s", text, (int)message.len, message.ptr);
	free(selector);
}

static void
choose_model(struct run *run, struct options *options)
{
	struct str near;
	size_t matches;

	if (options->models_file != NULL)
		models_read(&run->models, options->models_file, &run->fault);
	limits_check_fault(&run->fault);
	if (options->model == NULL)
		return;
	run->model = models_find(&run->models, options->model, &near, &matches);
	if (run->model == NULL && matches > 1)
		options_fail("model '%s' may be any of %zu, such as '%.*s'", options->model,
		    matches, STR_ARG(near));
	if (run->model == NULL)
		options_fail("unknown model '%s', did you mean '%.*s'?", options->model,
		    STR_ARG(near));
	if (options->limits.window.unit == SIZE_UNSET)
		options->limits.window = (struct size){SIZE_PLAIN, run->model->window};
	if (options->limits.reserve_output.unit == SIZE_UNSET)
		options->limits.reserve_output = (struct size){SIZE_PLAIN,
		    model_reserve(run->model, options->limits.window.value)};
	if (options->estimator.name == NULL)
		options->estimator.name = model_estimator(run->model);
}

static _Noreturn void
print_models(const struct models *models)
{
	struct buf text = BUF_INIT;

	models_write(models, &text);
	options_print(&text);
}

/* Whether the first answer needs the whole session. */
static bool
is_held(const struct run *run)
{
	return run->options->cuts || run->when != NULL || run->estimator.kind == ESTIMATOR_COMMAND;
}

static void
check_options(const struct run *run)
{
	const struct options *options = run->options;

	if (options->annotate && run->form != FORM_STREAM)
		options_fail("--annotate goes with the stream, not with --table or its like");
	if (options->every > 0 && is_held(run))
		options_fail("--every goes without --when and cmd:, which need the whole session");
}

static void
run_init(struct run *run, struct options *options)
{
	*run = (struct run){.options = options, .form = form_of(options)};
	limits_check(&options->limits);
	choose_model(run, options);
	if (options->models)
		print_models(&run->models);
	if (options->max_age != NULL &&
	    !number_parse_time(options->max_age, &options->triggers.age))
		options_fail("bad value '%s' of --max-age, expected a time such as 30m",
		    options->max_age);
	if (options->when != NULL)
		parse_when(run, options->when);
	limits_open_estimator(&run->estimator, &options->estimator, &run->fault);
	check_options(run);
	measure_init(&run->measure, &run->estimator,
	    options->by_given ? (enum breakdown_key)(options->by + 1) : BREAKDOWN_NONE);
	run->measure.limits = options->limits;
}

static void
run_free(struct run *run)
{
	measure_free(&run->measure);
	estimator_close(&run->estimator);
	selector_free(run->when);
	models_free(&run->models);
	cuts_free(&run->cuts);
	buf_free(&run->text);
	fault_free(&run->fault);
}

static void
pass(struct run *run, bool weighed)
{
	struct filter *filter = &run->filter;

	if (run->form != FORM_STREAM || filter->message.kind == RECORD_BUDGET)
		return;
	if (weighed && run->options->annotate &&
	    annotate(&filter->message, filter->line.text, run->measure.last, &run->text))
		filter_change(filter, buf_str(&run->text));
	else
		filter_pass(filter);
}

static void
read_stream(struct run *run, struct live *live)
{
	struct filter *filter = &run->filter;

	while (filter_next(filter)) {
		pass(run, measure_add(&run->measure, &filter->message, filter->line.number, NULL));
		live->dirty = true;
	}
}

static void
write_held(struct run *run, struct session *session, uint32_t index, bool weighed)
{
	struct entry *entry = &session->entry[index];
	struct message message;

	if (run->form != FORM_STREAM || entry->kind == RECORD_BUDGET)
		return;
	if (weighed && run->options->annotate) {
		entry_parse(entry, &message);
		if (annotate(&message, entry_text(entry), entry->tokens, &run->text))
			change_text(session, index, NULL, buf_str(&run->text));
	}
	filter_write_entry(&run->filter, entry);
}

/* What needs the whole session before the first answer. */
static void
read_held(struct run *run, struct session *session)
{
	uint64_t selected = 0;

	filter_hold(&run->filter, session, CURRENT_AUTO, NULL);
	estimate_session(&run->estimator, session);
	limits_check_fault(&run->fault);
	for (uint32_t i = 0; i < session->count; i++) {
		struct entry *entry = &session->entry[i];
		struct message message = {.kind = (enum record_kind)entry->kind};
		bool weighed = false;

		if (entry->kind == RECORD_MESSAGE || entry->kind == RECORD_CONTEXT) {
			entry_parse(entry, &message);
			weighed = measure_add(&run->measure, &message, i + 1, &entry->tokens);
		}
		if (run->when != NULL && weighed && selector_matches(run->when, session, entry))
			selected++;
		write_held(run, session, i, weighed);
	}
	run->when_fired = run->when != NULL && selected > run->when_most;
	if (run->options->cuts)
		cuts_find(&run->cuts, session);
}

static void
write_form(const struct run *run, const struct report *report, struct buf *text)
{
	switch (run->form) {
	case FORM_TABLE:
		report_write_table(report, terminal_width(), terminal_is_utf8(), text);
		break;
	case FORM_TSV:
		report_write_tsv(report, text);
		break;
	case FORM_BRIEF:
		report_write_brief(report, text);
		break;
	default:
		report_write_json(report, text);
	}
}

/* The line of --brief at any time. */
static void
write_line(void *context, struct buf *line)
{
	struct run *run = context;
	struct estimator fitted;
	struct budget budget;
	struct report report = {.budget = &budget, .estimator = &fitted, .measure = &run->measure};

	measure_budget(&run->measure, &run->options->triggers, run->when_fired, &budget, &fitted);
	report_write_brief(&report, line);
}

static void
warn_unfitted(struct run *run)
{
	limits_warn_unfitted(&run->options->estimator, run->measure.fit.points);
	if (run->options->check)
		filter_fail(&run->filter, STATUS_NO);
}

static void
write_report(struct run *run)
{
	struct estimator fitted;
	struct budget budget;
	struct report report = {.budget = &budget, .estimator = &fitted, .measure = &run->measure,
	    .model = run->model, .cuts = run->cuts.list, .cut_count = run->cuts.count,
	    .has_cuts = run->options->cuts};
	struct buf text = BUF_INIT;

	if (!measure_budget(&run->measure, &run->options->triggers, run->when_fired, &budget,
	    &fitted))
		warn_unfitted(run);
	limits_check_fault(&run->fault);
	breakdown_sort(&run->measure.breakdown, run->options->top);
	report_set_price(&report);
	if (run->form != FORM_BRIEF)
		write_form(run, &report, &text);
	if (run->form == FORM_STREAM)
		filter_add_last(&run->filter, buf_str(&text));
	else if (text.len > 0)
		filter_add(&run->filter, buf_str(&text));
	if (run->options->check && budget.compact)
		filter_fail(&run->filter, STATUS_NO);
	buf_free(&text);
}

int
main(int argc, char **argv)
{
	struct options options = {0};
	int first = options_parse(&command, argc, argv, &options);
	struct session session;
	struct run run;
	struct live live = {.write = write_line, .context = &run};
	int status;

	run_init(&run, &options);
	filter_open(&run.filter, &options.common, argv + first, argc - first);
	live_start(&live, &run.filter, options.every);
	session_init(&session);
	if (is_held(&run))
		read_held(&run, &session);
	else
		read_stream(&run, &live);
	if (run.form == FORM_BRIEF)
		live_end(&live);
	write_report(&run);
	status = filter_close(&run.filter);
	session_free(&session);
	run_free(&run);
	return status;
}
