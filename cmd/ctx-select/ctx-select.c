/*
 * ctx-select writes the messages that a selector selects, with all messages of their groups. It
 * holds a record until its selection is certain.
 */

#include "../commands.h"
#include "face/choices/hold.h"
#include "face/choices/limits.h"
#include "face/choices/select_option.h"
#include "policy/view/view_stage.h"

/*
 * Stages for a selection (policy/selection.h) that needs no session; other selections are views
 * (policy/view/view_stage.h). Records that are no messages pass.
 *
 *     pick_each   looks at each message alone, and holds nothing
 *     pick_count  comes after pick_each, or after a view: counts the messages, and may end the run
 */

struct pick_each {
	struct stage stage;
	const struct selection *selection;
};

struct pick_count {
	struct stage stage;
	uint64_t messages;
	bool stops; /* nothing passes */
};

static void
take_each(struct stage *stage, struct record *record)
{
	struct pick_each *pick = (struct pick_each *)stage;
	struct message read;

	if (record->kind != RECORD_MESSAGE ||
	    selection_has(pick->selection, record_message(record, &read)))
		stage_emit(stage, record);
}

/* For a selection that needs no session. Nothing is to be freed. */
static void
pick_each_init(struct pick_each *pick, const struct selection *selection)
{
	*pick = (struct pick_each){
	    .stage = {.take = take_each, .end = stage_pass_end}, .selection = selection};
}

static void
take_count(struct stage *stage, struct record *record)
{
	struct pick_count *count = (struct pick_count *)stage;

	count->messages += record->kind == RECORD_MESSAGE;
	if (!count->stops)
		stage_emit(stage, record);
}

static void
pick_count_init(struct pick_count *count, bool stops)
{
	*count = (struct pick_count){
	    .stage = {.take = take_count, .end = stage_pass_end}, .stops = stops};
}

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
    OPTIONS_UNDER("What is selected"),
    {"select", 'e', "SELECTOR", "select these, and take all operands for files; again: or these",
	OPTION_LIST, offsetof(struct options, select), .flags = OPTION_LEADS},
    {"reject", 0, "SELECTOR", "do not select these; again: nor these", OPTION_LIST,
	offsetof(struct options, reject), .flags = OPTION_LEADS},
    {"exact", 'x', NULL, "single messages, not whole groups of a call and its results", OPTION_FLAG,
	offsetof(struct options, exact)},
    {"invert", 0, NULL, "write the messages that are not selected", OPTION_FLAG,
	offsetof(struct options, invert)},
    {"count", 'c', NULL, "print the number of messages instead", OPTION_FLAG,
	offsetof(struct options, count)},
    OPTION_EXECUTION(OPTION_ROW, options),
    OPTION_AGENTS(.requires = "count"),
    OPTION_FORGOTTEN,
    OPTION_HOLD(options),
    OPTIONS_UNDER("Counting"),
    OPTIONS_MESSAGE_ESTIMATOR(OPTION_ROW, options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

struct ctx_select {
	struct options options;
	struct selection selection;
	struct estimator estimator;
	struct run *run;
	uint64_t messages; /* that were selected */
	uint64_t given_up;
};

/* One session: one stage or the other picks, and another one counts. The view is there only where a
 * selector needs the session. */
struct session_pick {
	struct selection selection;
	struct pick_each each;
	struct pick_count count;
	struct view_choice choice;
	struct view_stage view;
};

static size_t
session_size(const void *self)
{
	const struct ctx_select *all = self;

	return selection_needs_session(&all->selection) ? sizeof(struct session_pick) :
							  offsetof(struct session_pick, choice);
}

/* A stream waits for nothing; a mere count comes at the end anyway. */
static enum command_forgotten
forgotten(const void *self)
{
	return ((const struct ctx_select *)self)->options.count ? COMMAND_FORGOTTEN_GO :
								  COMMAND_FORGOTTEN_STAY;
}

static void
open_session(void *self, void *session, struct stage **stages)
{
	struct ctx_select *all = self;
	struct session_pick *picking = session;

	picking->selection = all->selection;
	pick_count_init(&picking->count, all->options.count);
	pick_each_init(&picking->each, &picking->selection);
	stages[0] = &picking->each.stage;
	stages[1] = &picking->count.stage;
	if (!selection_needs_session(&all->selection))
		return;
	picking->choice = (struct view_choice){.view = VIEW_AGENTS, .within = &picking->selection};
	view_stage_init(&picking->view, &picking->choice);
	picking->view.window.limit = all->options.hold;
	run_set_session(
	    &picking->view.window.held.session, all->options.execution, &all->options.common);
	stages[0] = &picking->view.window.held.stage;
}

static void
finish_session(void *self, void *session)
{
	struct ctx_select *all = self;
	struct session_pick *picking = session;

	if (all->options.count) {
		struct buf text = BUF_INIT;

		buf_add_fmt(&text, "%ju", (uintmax_t)picking->count.messages);
		if (all->run->session.len > 0)
			buf_add_fmt(&text, "\t%.*s", STR_ARG(all->run->session));
		buf_add_char(&text, '\n');
		run_add(all->run, buf_str(&text));
		buf_free(&text);
	}
	all->messages += picking->count.messages;
	if (selection_needs_session(&all->selection))
		all->given_up += picking->view.window.given_up;
}

static void
free_session(void *self, void *session)
{
	const struct ctx_select *all = self;
	struct session_pick *picking = session;

	if (selection_needs_session(&all->selection))
		view_stage_free(&picking->view);
}

/* Whether the number of messages is an answer: an input of lines without any message is no log,
 * unless a reader knows the lines. */
static bool
is_answer(const struct source *source)
{
	const struct source_counts *in = &source->counts;

	return in->messages > 0 || (in->bad == 0 && (in->foreign == 0 || source->any_dialect));
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
	select_option_parse(&options->select, is_operand ? NULL : "select", &selection->select);
	select_option_parse(&options->reject, "reject", &selection->reject);
	selection->is_exact = options->exact;
	selection->is_inverted = options->invert;
	return is_operand;
}

static int
parse(void *self, int argc, char **argv)
{
	struct ctx_select *all = self;
	int first = options_parse(&select_command, argc, argv, &all->options);

	first += parse_selection(&all->options, argv + first, argc - first, &all->selection);
	return first;
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_select *all = self;

	all->run = run;
	all->selection.estimator = &all->estimator;
	if (selection_needs_session(&all->selection))
		limits_open_for_messages(&all->estimator, selection_needs_tokens(&all->selection),
		    &all->options.estimator, &all->options.common, &run->fault);
}

static bool
reads_all(const void *self)
{
	return ((const struct ctx_select *)self)->options.count;
}

/* Says where nothing is selected since a value is almost one that messages have. */
static void
say_slips(const struct selection *selection)
{
	struct buf slips = BUF_INIT;

	for (unsigned i = 0; i < selection->select.count; i++)
		selector_write_slips(selection->select.list[i], &slips);
	if (slips.len > 0)
		diag_warn("nothing is selected%.*s", STR_ARG(buf_str(&slips)));
	buf_free(&slips);
}

static void
finish(void *self)
{
	struct ctx_select *all = self;

	if (selection_needs_session(&all->selection))
		hold_report(all->run, all->options.hold, all->given_up);
	json_member_integer(&all->run->members, STR("selected"), (int64_t)all->messages);
	if (fault_is_set(&all->run->fault) || !is_answer(&all->run->source) || all->messages > 0)
		return;
	say_slips(&all->selection);
	run_fail(all->run, STATUS_NO);
}

static void
free_all(void *self)
{
	struct ctx_select *all = self;

	estimator_close(&all->estimator);
	selection_free(&all->selection);
}

static const char *const essential[] = {
    "select", "reject", "exact", "invert", "count", "session-key", NULL};

const struct command select_command = {.name = "ctx-select",
    .synopsis = "[option]... SELECTOR [file]...",
    .purpose = "Write the messages that a selector selects.",
    .kind = COMMAND_FILTER,
    .options = table,
    .essential = essential,
    .examples = {"ctx-select role=tool log.jsonl", "ctx-select --count role=user log.jsonl"},
    .statuses = {0, 1, 64, 65, 66, 69, 71, 73, 74, 78},
    .no = "nothing is selected",
    .leading = 1,
    .piped = "SELECTOR",
    .only_looks = "--count",
    .run = {.size = sizeof(struct ctx_select),
	.parse = parse,
	.open = open_run,
	.reads_all = reads_all,
	.finish = finish,
	.free = free_all},
    .session = {.size_of = session_size,
	.stages = open_session,
	.finish = finish_session,
	.free = free_session,
	.forgotten = forgotten}};
