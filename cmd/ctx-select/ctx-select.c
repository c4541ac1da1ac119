/*
 * ctx-select writes the messages that a selector selects, with all messages of their groups. It
 * holds a record until it is certain whether that is selected.
 */
#include "face/hold.h"
#include "face/limits.h"
#include "face/selecting.h"
#include "face/sessions.h"
#include "../runners.h"
#include "policy/pick.h"
#include "policy/view_stage.h"

struct options {
	struct common_options common;
	struct option_list select;
	struct option_list reject;
	bool exact;
	bool invert;
	bool count;
	const char *execution;
	struct size hold;
	struct estimator_options estimator;
};

static const struct option table[] = {
    {"select", 'e', "SELECTOR", "select these; again: or these; the first operand without it",
	OPTION_LIST, offsetof(struct options, select), NULL, 0},
    {"reject", 0, "SELECTOR", "do not select these; again: nor these", OPTION_LIST,
	offsetof(struct options, reject), NULL, 0},
    {"exact", 'x', NULL, "single messages, not whole groups of a call and its results", OPTION_FLAG,
	offsetof(struct options, exact), NULL, 0},
    {"invert", 0, NULL, "write the messages that are not selected", OPTION_FLAG,
	offsetof(struct options, invert), NULL, 0},
    {"count", 'c', NULL, "print the number of messages instead", OPTION_FLAG,
	offsetof(struct options, count), NULL, 0},
    {"execution", 0, "ID", "the current execution: auto (default), last, none or an id",
	OPTION_STRING, offsetof(struct options, execution), NULL, 0},
    OPTION_HOLD(options),
    OPTIONS_ESTIMATOR(options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-select", "[option]... SELECTOR [file]...",
    "Write the messages that a selector selects.", table,
    {"ctx-select role=tool log.jsonl", "ctx-select --count role=user log.jsonl"},
    {0, 1, 64, 65, 66, 69, 71, 73, 74, 78}, "nothing is selected"};

/* All sessions. */
struct job {
	struct options options;
	struct selection selection;
	struct estimator estimator;
	struct run *run;
	uint64_t messages; /* that were selected */
	uint64_t given_up;
};

/* One session: one stage or the other picks, and another one counts. The view is there only where a
 * selector needs the session. */
struct picking {
	struct selection selection;
	struct pick_each each;
	struct pick_count count;
	struct view_choice choice;
	struct view_stage view;
};

/* Opens the estimator, if a term looks at tokens. */
static void
open_estimator(struct job *job)
{
	const struct options *options = &job->options;

	limits_check_estimator(&options->estimator);
	if (!job->selection.select.needs_tokens && !job->selection.reject.needs_tokens)
		return;
	limits_open_for_messages(
	    &job->estimator, &options->estimator, &options->common, &job->run->fault);
	job->selection.estimator = &job->estimator;
}

static void
open_session(void *owner, void *session, struct stage **stages)
{
	struct job *job = owner;
	struct picking *picking = session;

	picking->selection = job->selection;
	pick_count_init(&picking->count, job->options.count);
	pick_each_init(&picking->each, &picking->selection);
	stages[0] = &picking->each.stage;
	stages[1] = &picking->count.stage;
	if (!selection_needs_session(&job->selection))
		return;
	picking->choice = (struct view_choice){.view = VIEW_AGENTS, .within = &picking->selection};
	view_stage_init(&picking->view, &picking->choice);
	picking->view.window.limit = job->options.hold;
	run_set_session(
	    &picking->view.window.held.session, job->options.execution, &job->options.common);
	stages[0] = &picking->view.window.held.stage;
}

/* Prints the number of messages of a session; of many, with the key that they have. */
static void
print_count(struct run *run, uint64_t messages)
{
	struct buf text = BUF_INIT;

	buf_add_fmt(&text, "%ju", (uintmax_t)messages);
	if (run->session.len > 0)
		buf_add_fmt(&text, "\t%.*s", STR_ARG(run->session));
	buf_add_char(&text, '\n');
	run_add(run, buf_str(&text));
	buf_free(&text);
}

static void
finish_session(void *owner, void *session)
{
	struct job *job = owner;
	struct picking *picking = session;

	if (job->options.count)
		print_count(job->run, picking->count.messages);
	job->messages += picking->count.messages;
	if (selection_needs_session(&job->selection))
		job->given_up += picking->view.window.given_up;
}

static void
close_session(void *owner, void *session)
{
	const struct job *job = owner;
	struct picking *picking = session;

	if (selection_needs_session(&job->selection))
		view_stage_free(&picking->view);
}

/* Whether the number of messages says something: what has lines, but no message, is no log. */
static bool
is_answer(const struct source_counts *in)
{
	return in->messages > 0 || in->bad + in->foreign == 0;
}

/* Returns the number of operands that are selectors. */
static int
parse_selection(
    struct options *options, char *const *operand, int count, struct selection *selection)
{
	bool is_operand = options->select.count + options->reject.count == 0;

	if (is_operand && count == 0)
		options_fail("expected a selector such as role=user");
	if (is_operand)
		options->select.item[options->select.count++] = operand[0];
	selecting_parse(&options->select, is_operand ? NULL : "select", &selection->select);
	selecting_parse(&options->reject, "reject", &selection->reject);
	selection->is_exact = options->exact;
	selection->is_inverted = options->invert;
	return is_operand;
}

static int
parse(void *self, int argc, char **argv)
{
	struct job *job = self;
	int first = options_parse(&command, argc, argv, &job->options);

	first += parse_selection(&job->options, argv + first, argc - first, &job->selection);
	hold_check(job->options.hold);
	return first;
}

static struct session_kind
open_run(void *self, struct run *run)
{
	struct job *job = self;
	bool needs_session = selection_needs_session(&job->selection);
	const struct session_kind kind = {
	    needs_session ? sizeof(struct picking) : offsetof(struct picking, choice), open_session,
	    finish_session, close_session, NULL, SESSIONS_KEYS_ADDED};

	job->run = run;
	if (needs_session)
		open_estimator(job);
	return kind;
}

static void
finish(void *self)
{
	struct job *job = self;

	if (selection_needs_session(&job->selection))
		hold_report(job->run, job->options.hold, job->given_up);
	json_member_integer(&job->run->members, STR("selected"), (int64_t)job->messages);
	if (!fault_is_set(&job->run->fault) && is_answer(&job->run->source.counts) &&
	    job->messages == 0)
		run_fail(job->run, STATUS_NO);
}

static void
free_job(void *self)
{
	struct job *job = self;

	if (job->selection.estimator != NULL)
		estimator_close(&job->estimator);
	selection_free(&job->selection);
}

static const char *const alone[] = {NULL}, *const leading[] = {"select", "reject", NULL};

const struct runner select_runner = {.name = "ctx-select",
    .command = &command,
    .size = sizeof(struct job),
    .parse = parse,
    .open = open_run,
    .finish = finish,
    .free = free_job,
    .alone = alone,
    .leading = leading};
