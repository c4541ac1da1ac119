/*
 * ctx-show prints a session for people: a line a message or call, or messages as a whole. In memory
 * is a session of at most 16 MB, so that the end is known from the first line on; of a larger one
 * the record that is read, and the calls that have no result yet.
 */
#include <stdlib.h>
#include <unistd.h>

#include "../commands.h"
#include "base/file.h"
#include "face/choices/limits.h"
#include "face/sessions/sessions.h"
#include "face/terminal/pager.h"
#include "step_choice.h"
#include "follow.h"
#include "step_list.h"
#include "step_page.h"
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
	bool html;
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
    {"metadata", 'm', NULL, "with -n, --at, -e or --html: also metadata and other members",
	OPTION_FLAG, offsetof(struct options, members), .not_with = "plan marks"},
    {"plan", 0, "FILE", "a column from the output of ctx-compact --plan", OPTION_FILE,
	offsetof(struct options, plan)},
    {"marks", 0, NULL, "sums and marks that need the end, for an input of any size", OPTION_FLAG,
	offsetof(struct options, marks)},
    {"timeline", 0, NULL, "how the context grows, and by what", OPTION_FLAG,
	offsetof(struct options, timeline), .not_with = "number at select plan marks follow"},
    {"html", 0, NULL, "a page: the messages and the timeline", OPTION_FLAG,
	offsetof(struct options, html), .not_with = "timeline follow"},
    {"follow", 'f', NULL, "go on with lines added to the file", OPTION_FLAG,
	offsetof(struct options, follow), .flags = OPTION_OWN_PROCESS,
	.not_with = "number at select marks"},
    OPTIONS_UNDER("The window of the timeline"),
    {"window", 'w', "TOKENS", "the context window (of the session's model, or 128k)", OPTION_WINDOW,
	offsetof(struct options, limits.window), .requires = "timeline html"},
    {"limit", 0, "TOKENS", "compact over this, down to half of it", OPTION_WINDOW,
	offsetof(struct options, limits.limit), .requires = "timeline html",
	.not_with = "window soft"},
    {"soft", 0, "TOKENS", "compact when this much is used (80%)", OPTION_TOKENS,
	offsetof(struct options, limits.soft), .requires = "timeline html"},
    OPTIONS_UNDER("How it looks"),
    {"color", 0, "WHEN", "colour: auto (default), always or never", OPTION_CHOICE,
	offsetof(struct options, color), terminal_colors},
    {"ascii", 0, NULL, "lines and marks in ASCII", OPTION_FLAG, offsetof(struct options, ascii)},
    OPTIONS_UNDER("What is read"),
    OPTION_AGENTS(),
    OPTION_FORGOTTEN,
    OPTIONS_UNDER("Counting"),
    OPTIONS_MESSAGE_ESTIMATOR(OPTION_ROW, options),
    OPTIONS_INPUT(BAD_LINES_ARE_KEPT),
    OPTIONS_END,
};

struct ctx_show {
	struct options options;
	struct follow follower;
	struct step_choice choice;
	struct plan_file plan;
	struct estimator estimator;
	struct models models;
	const struct models *session_models;
	struct screen screen;
	struct run *run;
	const char *file; /* of the last step */
	uint64_t shown;   /* messages, where some are chosen */
	bool must_hold;   /* options need the end, */
	bool passes;      /* or the input is too large, or they do not need it */
};

struct session_show {
	struct reading reading;
	struct steps steps;
	struct step_list list;
	struct whole whole;
	struct timeline timeline;
	struct step_page page;
	struct ctx_show *all;
};

static bool
is_list(const struct ctx_show *all)
{
	return !step_choice_is_made(&all->choice);
}

/* Reads the models, by which a session says its window. */
static void
parse_limits(struct ctx_show *all)
{
	const struct model_options none = {.name = NULL};
	struct options *options = &all->options;
	struct option_list sections = {.count = 0};

	if (!options->timeline && !options->html)
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

	step_choice_parse(&all->choice, options->number, options->at, &options->select);
	if (options->members && is_list(all) && !options->html)
		options_fail("--metadata requires --number, --at, --select or --html");
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
		follow(&all->follower, argv[first]);
	else if (!options->html &&
	    (argc > first || isatty(STDIN_FILENO) != 1)) /* a pager would read the typed input */
		pager_start();
	return first;
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_show *all = self;
	uint64_t size;

	all->run = run;
	run->source.still_grows = all->options.follow;
	if (all->options.follow)
		follow_read_on(&all->follower, &run->source.in);
	all->must_hold = all->options.marks || all->choice.select.needs_session ||
	    all->choice.select.needs_tokens;
	all->passes = !all->must_hold &&
	    ((input_is_of_files(&run->source.in, &size) && size > READING_MOST) ||
		all->choice.first > 0 || all->options.at != NULL || all->options.follow ||
		all->options.timeline);
	limits_open_for_messages(
	    &all->estimator, true, &all->options.estimator, &all->options.common, &run->fault);
	if (all->options.plan != NULL)
		plan_file_read(&all->plan, all->options.plan, &run->fault);
}

/* Writes the screen or the page. */
static void
flush(struct ctx_show *all, struct buf *text)
{
	if (text->len > 0)
		run_add(all->run, buf_str(text));
	buf_reset(text);
}

/* Names the file of the next steps, if there are several files. */
static void
name_file(struct ctx_show *all, const struct step *step)
{
	bool is_other = step->file != NULL && step->file != all->file;

	if (step->file != NULL)
		all->file = step->file;
	if (is_other && all->run->source.in.operand_count > 1)
		screen_label(&all->screen, str_from(step->file));
}

/* The timeline is of all messages. */
static struct timeline *
timeline_of(struct session_show *showing)
{
	return is_list(showing->all) ? &showing->timeline : NULL;
}

static void
show_on_page(struct session_show *showing, const struct step *step)
{
	struct ctx_show *all = showing->all;

	if (!is_list(all) && !step_choice_has(&all->choice, step))
		return;
	step_page_add(&showing->page, step, timeline_of(showing));
	all->shown++;
}

/* Whether nothing after the step need be read. A reader emits messages in the order in which they
 * begin, maybe several of a line, when they are complete; or at the end of its file. */
static bool
is_behind(const struct ctx_show *all, const struct step *step)
{
	uint64_t line = line_number_line(step->number);
	uint64_t last = line_number_line(all->choice.last);

	if (all->choice.first == 0 || all->run->source.in.operand_count > 1)
		return false;
	return step->known->place.is_line ? line >= last : line > last;
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
	} else if (all->options.html) {
		show_on_page(showing, step);
	} else if (is_list(all)) {
		name_file(all, step);
		step_list_add(&showing->list, step);
	} else if (step_choice_has(&all->choice, step)) {
		name_file(all, step);
		whole_add(&showing->whole, step);
		all->shown++;
	}
	all->run->source.has_stopped |= is_behind(all, step);
	flush(all, all->options.html ? &showing->page.page.out : &all->screen.text);
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
	step_page_init(&showing->page, in->operand, in->operand_count,
	    all->options.plan != NULL ? &all->plan : NULL, all->options.members);
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
	else if (all->options.html)
		step_page_end(&showing->page, timeline_of(showing));
	else
		step_list_end(&showing->list);
	flush(all, all->options.html ? &showing->page.page.out : &all->screen.text);
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
	step_page_free(&showing->page);
}

/* A session that is not held is shown as it is. */
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

static void
finish(void *self)
{
	struct ctx_show *all = self;

	if (is_list(all) || all->shown > 0 || all->run->source.counts.messages == 0)
		return;
	if (!fault_is_set(&all->run->fault))
		step_choice_say_none(&all->choice);
	run_fail(all->run, STATUS_NO);
}

static void
free_all(void *self)
{
	struct ctx_show *all = self;

	estimator_close(&all->estimator);
	step_choice_free(&all->choice);
	models_free(&all->models);
	plan_file_free(&all->plan);
	screen_free(&all->screen);
}

static const char *const essential[] = {
    "number", "select", "metadata", "plan", "timeline", "html", "follow", "agents", NULL};

const struct command show_command = {.name = "ctx-show",
    .synopsis = "[option]... [file]...",
    .purpose = "Show a session: a line a message, messages as a whole, or a page.",
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
