/*
 * ctx-select writes the messages that a selector selects, with all messages of their groups. It
 * holds a record until it is certain whether that is selected.
 */
#include "face/hold.h"
#include "face/limits.h"
#include "face/selecting.h"
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

/* Opens the estimator, if a term looks at tokens. */
static void
open_estimator(const struct options *options, struct estimator *estimator,
    struct selection *selection, struct run *run)
{
	limits_check_estimator(&options->estimator);
	if (!selection->select.needs_tokens && !selection->reject.needs_tokens)
		return;
	limits_open_for_messages(estimator, &options->estimator, &options->common, &run->fault);
	selection->estimator = estimator;
}

static void
pick_groups(struct run *run, const struct options *options, struct selection *selection,
    struct pick_count *count)
{
	struct view_choice choice = {.view = VIEW_AGENTS, .within = selection};
	struct estimator estimator;
	struct view_stage view;

	open_estimator(options, &estimator, selection, run);
	view_stage_init(&view, &choice);
	view.window.limit = options->hold;
	run_set_session(&view.window.held.session, options->execution, &options->common);
	run_chain(run, (struct stage *[]){&view.window.held.stage, &count->stage, NULL});
	hold_report(run, &view.window);
	view_stage_free(&view);
	if (selection->estimator != NULL)
		estimator_close(&estimator);
}

static void
pick_each(struct run *run, const struct selection *selection, struct pick_count *count)
{
	struct pick_each pick;

	pick_each_init(&pick, selection);
	run_chain(run, (struct stage *[]){&pick.stage, &count->stage, NULL});
}

static void
print_count(struct run *run, uint64_t messages)
{
	struct buf text = BUF_INIT;

	buf_add_fmt(&text, "%ju\n", (uintmax_t)messages);
	run_add(run, buf_str(&text));
	buf_free(&text);
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

int
main(int argc, char **argv)
{
	struct options options = {.exact = false};
	int first = options_parse(&command, argc, argv, &options);
	struct selection selection = {.is_exact = false};
	struct pick_count count;
	struct run run;

	first += parse_selection(&options, argv + first, argc - first, &selection);
	hold_check(options.hold);
	run_open(&run, &options.common, argv + first, argc - first);
	pick_count_init(&count, options.count);
	if (selection_needs_session(&selection))
		pick_groups(&run, &options, &selection, &count);
	else
		pick_each(&run, &selection, &count);
	if (options.count)
		print_count(&run, count.messages);
	json_member_integer(&run.members, STR("selected"), (int64_t)count.messages);
	if (is_answer(&run.source.counts) && count.messages == 0)
		run_fail(&run, STATUS_NO);
	selection_free(&selection);
	return run_close(&run);
}
