/*
 * ctx-show prints a session for people: a line a message or call, or messages as a whole. In memory
 * is a session of at most 16 MB, so that the end is known from the first line on; of a larger one
 * the record that is read, and the calls that have no result yet.
 */
#include <stdlib.h>
#include <unistd.h>

#include "../commands.h"
#include "base/diag.h"
#include "base/file.h"
#include "face/choices/limits.h"
#include "face/choices/select_option.h"
#include "face/sessions/sessions.h"
#include "face/terminal/pager.h"
#include "follow.h"
#include "json/string.h"
#include "step_list.h"
#include "timeline.h"
#include "whole.h"

struct options {
	struct common_options common;
	const char *number;
	const char *at;
	struct option_list select;
	bool members;
	bool marks;
	bool follow;
	bool timeline;
	struct budget_limits limits;
	const char *plan;
	int color;
	bool ascii;
	struct estimator_options estimator;
};

static const struct option table[] = {
    OPTIONS_UNDER("What is shown"),
    {"number", 'n', "N", "the message of line N, or of N-M, as a whole", OPTION_STRING,
	offsetof(struct options, number), .not_with = "at select plan"},
    {"at", 0, "ID", "the messages of that id, or of that call's id", OPTION_STRING,
	offsetof(struct options, at), .not_with = "select plan"},
    {"select", 'e', "SELECTOR", "the messages that are selected; again: or these", OPTION_LIST,
	offsetof(struct options, select), .not_with = "plan"},
    {"metadata", 'm', NULL, "with these: also metadata and other members", OPTION_FLAG,
	offsetof(struct options, members), .not_with = "plan marks"},
    {"plan", 0, "FILE", "a column of what ctx-compact --plan wrote", OPTION_FILE,
	offsetof(struct options, plan)},
    {"marks", 0, NULL, "sums and marks that need the end, of any size", OPTION_FLAG,
	offsetof(struct options, marks)},
    {"timeline", 0, NULL, "how the context grows, and by what", OPTION_FLAG,
	offsetof(struct options, timeline), .not_with = "number at select plan marks follow"},
    {"follow", 'f', NULL, "go on with what is added to the file", OPTION_FLAG,
	offsetof(struct options, follow), .flags = OPTION_OWN_PROCESS,
	.not_with = "number at select marks"},
    OPTIONS_UNDER("The window of the timeline"),
    {"window", 'w', "TOKENS", "the context window (of the session's model, or 128k)", OPTION_WINDOW,
	offsetof(struct options, limits.window), .requires = "timeline"},
    {"limit", 0, "TOKENS", "due over this, and down to half of it", OPTION_WINDOW,
	offsetof(struct options, limits.limit), .requires = "timeline", .not_with = "window soft"},
    {"soft", 0, "TOKENS", "compact when this much is used (80%)", OPTION_TOKENS,
	offsetof(struct options, limits.soft), .requires = "timeline"},
    OPTIONS_UNDER("How it looks"),
    {"color", 0, "WHEN", "colour: auto (default), always or never", OPTION_CHOICE,
	offsetof(struct options, color), terminal_colors},
    {"ascii", 0, NULL, "lines and marks in ASCII", OPTION_FLAG, offsetof(struct options, ascii)},
    OPTIONS_UNDER("What is read"),
    OPTION_AGENTS(),
    OPTION_FORGOTTEN,
    OPTIONS_UNDER("Counting"),
    OPTIONS_ESTIMATOR(OPTION_ROW, options),
    OPTIONS_INPUT(BAD_LINES_ARE_KEPT),
    OPTIONS_END,
};

/* One run. */
struct ctx_show {
	struct options options;
	uint64_t first, last; /* of -n; 0: without it */
	struct selectors select;
	struct plan_file plan;
	struct estimator estimator;
	struct models models;
	const struct models *session_models;
	struct screen screen;
	struct run *run;
	const char *file;        /* of the last step */
	uint64_t shown;          /* messages, where some are chosen */
	uint64_t before, behind; /* the numbers next to those of -n; 0: none */
	bool must_hold;          /* options need the end, */
	bool passes;             /* or the input is too large, or they do not need it */
};

struct session_show {
	struct reading reading;
	struct steps steps;
	struct step_list list;
	struct whole whole;
	struct timeline timeline;
	struct ctx_show *all;
};

static bool
is_list(const struct ctx_show *all)
{
	return all->first == 0 && all->options.at == NULL && all->select.count == 0;
}

/* Reads N or N-M. Ends the program with status 64 when it is neither. */
static void
parse_number(struct ctx_show *all, const char *text)
{
	const char *dash = strchr(text, '-');
	struct str first = str_of(text, dash != NULL ? (size_t)(dash - text) : strlen(text));
	struct str last = dash != NULL ? str_from(dash + 1) : first;

	if (!line_number_read(first, false, &all->first) ||
	    !line_number_read(last, true, &all->last) || all->last < all->first)
		options_fail("bad value '%s' of --number, expected N or N-M", text);
}

/* Reads the models, by which a session says its window. */
static void
parse_limits(struct ctx_show *all)
{
	const struct model_options none = {.name = NULL};
	struct options *options = &all->options;
	struct option_list sections = {.count = 0};

	if (!options->timeline)
		return;
	limits_check(&options->limits, &sections);
	limits_choose_model(&none, &all->models, &options->limits, &options->estimator);
	all->session_models = limits_session_models(&none, &all->models, &options->limits);
}

static int
parse(void *self, int argc, char **argv)
{
	struct ctx_show *all = self;
	struct options *options = &all->options;
	int first = options_parse(&show_command, argc, argv, options);

	if (options->number != NULL)
		parse_number(all, options->number);
	select_option_parse(&options->select, "select", &all->select);
	if (options->members && is_list(all))
		options_fail("--metadata requires --number, --at or --select");
	limits_check_estimator(&options->estimator);
	parse_limits(all);
	terminal_init(&all->screen.terminal, (enum color)options->color);
	if (options->ascii)
		all->screen.terminal.utf8 = false;
	if (terminal_is_output() || getenv("COLUMNS") != NULL)
		all->screen.wrap = all->screen.terminal.width;
	if (options->follow && (argc - first != 1 || file_is_stdin(argv[first])))
		options_fail("--follow needs one file");
	if (options->follow)
		follow(argv[first]);
	else if (argc > first || isatty(STDIN_FILENO) != 1) /* a pager would read what is typed */
		pager_start();
	return first;
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_show *all = self;
	uint64_t size;

	all->run = run;
	all->must_hold =
	    all->options.marks || all->select.needs_session || all->select.needs_tokens;
	all->passes = !all->must_hold &&
	    ((input_is_of_files(&run->source.in, &size) && size > READING_MOST) || all->first > 0 ||
		all->options.at != NULL || all->options.follow || all->options.timeline);
	limits_open_for_messages(
	    &all->estimator, true, &all->options.estimator, &all->options.common, &run->fault);
	if (all->options.plan != NULL)
		plan_file_read(&all->plan, all->options.plan, &run->fault);
}

/* Writes what is on the screen. */
static void
flush(struct ctx_show *all)
{
	if (all->screen.text.len > 0)
		run_add(all->run, buf_str(&all->screen.text));
	buf_reset(&all->screen.text);
}

static bool
has_id(const struct message *message, struct str id)
{
	struct json_value ids[] = {message->meta[METADATA_ID], message->tool_call_id,
	    json_find(message->value, STR("id"))};
	struct call_walk calls = call_walk_of(message);
	struct tool_call call;

	for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
		if (json_is(ids[i], id))
			return true;
	while (call_walk_next(&calls, &call))
		if (json_is(call.id, id))
			return true;
	return false;
}

/* Whether -n chooses the number. Notes those next to what it chooses. */
static bool
is_numbered(struct ctx_show *all, uint64_t number)
{
	if (number < all->first && number > all->before)
		all->before = number;
	if (number > all->last && (all->behind == 0 || number < all->behind))
		all->behind = number;
	return number >= all->first && number <= all->last;
}

static bool
is_chosen(struct ctx_show *all, const struct step *step)
{
	if (all->first > 0)
		return is_numbered(all, step->number);
	if (step->kind != RECORD_MESSAGE)
		return false;
	if (all->options.at != NULL)
		return has_id(step->message, str_from(all->options.at));
	if (step->known->session != NULL)
		return selectors_ask(&all->select, step->known->session, step->known->entry) ==
		    TERM_YES;
	return selectors_match_message(&all->select, step->message);
}

/* Says of which file the next steps are, where there are several. */
static void
name_file(struct ctx_show *all, const struct step *step)
{
	bool is_other = step->file != NULL && step->file != all->file;

	if (step->file != NULL)
		all->file = step->file;
	if (is_other && all->run->source.in.operand_count > 1)
		screen_label(&all->screen, str_from(step->file));
}

static void
show(void *context, const struct step *step)
{
	struct session_show *showing = context;
	struct ctx_show *all = showing->all;

	/* The last line of a file that is followed may be there in part. */
	if (all->options.follow && step->kind == RECORD_BAD && step->is_last)
		return;
	if (all->options.timeline) {
		timeline_add(&showing->timeline, step);
	} else if (is_list(all)) {
		name_file(all, step);
		step_list_add(&showing->list, step);
	} else if (is_chosen(all, step)) {
		name_file(all, step);
		whole_add(&showing->whole, step);
		all->shown++;
	}
	/* What comes behind the last one need not be read. */
	if (all->first > 0 &&
	    step->number >> LINE_NUMBER_PART_BITS >= all->last >> LINE_NUMBER_PART_BITS &&
	    step->known->place.is_line && all->run->source.in.operand_count <= 1)
		all->run->source.has_stopped = true;
	flush(all);
}

static void
open_session(void *self, void *session, struct stage **stages)
{
	struct ctx_show *all = self;
	struct session_show *showing = session;
	const struct input *in = &all->run->source.in;

	showing->all = all;
	reading_init(&showing->reading, &all->estimator, all->must_hold, all->passes);
	run_set_walk(&showing->reading.held.session.walk, &all->options.common);
	steps_init(&showing->steps, &showing->reading.record, &all->estimator, show, showing);
	run_set_walk(&showing->steps.walk, &all->options.common);
	step_list_init(&showing->list, &all->screen, all->options.plan != NULL ? &all->plan : NULL,
	    in->operand_count == 1 && !file_is_stdin(in->operand[0]) ? in->operand[0] : NULL);
	whole_init(&showing->whole, &all->screen, all->options.members);
	timeline_init(&showing->timeline, &all->screen, &all->estimator, &all->options.limits,
	    all->session_models);
	run_set_walk(&showing->timeline.measure.walk, &all->options.common);
	stages[0] = &showing->reading.held.stage;
	stages[1] = &showing->steps.stage;
}

static void
finish_session(void *self, void *session)
{
	struct ctx_show *all = self;
	struct session_show *showing = session;

	if (fault_is_set(&all->run->fault) || all->options.follow)
		return;
	if (all->options.timeline)
		timeline_end(&showing->timeline);
	else
		step_list_end(&showing->list);
	flush(all);
}

static void
free_session(void *self, void *session)
{
	struct session_show *showing = session;

	(void)self;
	reading_free(&showing->reading);
	steps_free(&showing->steps);
	step_list_free(&showing->list);
	whole_free(&showing->whole);
	timeline_free(&showing->timeline);
}

/* What is not held is taken as it stands. */
static enum command_forgotten
forgotten(const void *self)
{
	const struct ctx_show *all = self;

	return all->passes && !all->options.timeline ? COMMAND_FORGOTTEN_STAY :
						       COMMAND_FORGOTTEN_PASS;
}

static bool
reads_all(const void *self)
{
	(void)self;
	return true;
}

/* Says that nothing is chosen, and which numbers are there: between them may lie lines of an
 * agent's file on which no message begins. */
static void
say_none(const struct ctx_show *all)
{
	struct buf text = BUF_INIT;

	if (all->first == 0) {
		buf_add_str(&text, STR("no message is chosen"));
	} else {
		bool is_between = all->before > 0 && all->behind > 0;

		buf_add_fmt(&text, "no message has the number %s, %s ", all->options.number,
		    is_between          ? "only" :
			all->before > 0 ? "the last is" :
					  "the first is");
		line_number_add(&text, all->before > 0 ? all->before : all->behind);
		if (is_between) {
			buf_add_str(&text, STR(" and "));
			line_number_add(&text, all->behind);
			buf_add_str(&text, STR(" beside it"));
		}
	}
	diag_warn("%.*s", STR_ARG(buf_str(&text)));
	buf_free(&text);
}

static void
finish(void *self)
{
	struct ctx_show *all = self;

	if (is_list(all) || all->shown > 0 || all->run->source.counts.messages == 0)
		return;
	if (!fault_is_set(&all->run->fault))
		say_none(all);
	run_fail(all->run, STATUS_NO);
}

static void
free_all(void *self)
{
	struct ctx_show *all = self;

	estimator_close(&all->estimator);
	selectors_free(&all->select);
	models_free(&all->models);
	plan_file_free(&all->plan);
	screen_free(&all->screen);
}

static const char *const essential[] = {
    "number", "select", "metadata", "plan", "timeline", "follow", "agents", NULL};

const struct command show_command = {.name = "ctx-show",
    .synopsis = "[option]... [file]...",
    .purpose = "Show a session: a line a message, or messages as a whole.",
    .kind = COMMAND_LOOKS,
    .options = table,
    .essential = essential,
    .examples = {"ctx-show session.jsonl", "ctx-show -n 84 session.jsonl"},
    .statuses = {0, 1, 64, 65, 66, 69, 71, 73, 74, 78},
    .no = "no message is chosen",
    .run = {.size = sizeof(struct ctx_show),
	.parse = parse,
	.open = open_run,
	.reads_all = reads_all,
	.finish = finish,
	.free = free_all},
    .session = {.size = sizeof(struct session_show),
	.stages = open_session,
	.finish = finish_session,
	.free = free_session,
	.forgotten = forgotten}};
