/*
 * ctx-project writes a view of the log. It holds the records that are not decided yet: an answer,
 * the running execution, what follows an open failure; with --sections or a trim the session.
 */
#include "edits.h"

#include "face/hold.h"
#include "face/selecting.h"
#include "injecting.h"
#include "policy/agent_view.h"
#include "policy/conversation.h"
#include "policy/plain.h"
#include "policy/view_stage.h"
#include "redacting.h"

static const char *const views[] = {"reasoning", "conversation", "all", "trace", NULL};

static const char *const attempts[] = {"last", "all", NULL};

static const struct option table[] = {
    {"view", 0, "VIEW", "reasoning (default), conversation, all or trace", OPTION_CHOICE,
	offsetof(struct options, view), views, 0},
    {"trace", 0, "WHICH", "trace in the reasoning view: current (default), all, none or a SELECTOR",
	OPTION_STRING, offsetof(struct options, trace), NULL, 0},
    {"attempts", 0, "WHICH", "of a call that failed and failed again: the last time, or all",
	OPTION_CHOICE, offsetof(struct options, attempts), attempts, 0},
    {"select", 0, "SELECTOR", "of the view these messages only; again: or these", OPTION_LIST,
	offsetof(struct options, select), NULL, 0},
    {"reject", 0, "SELECTOR", "of the view not these messages; again: nor these", OPTION_LIST,
	offsetof(struct options, reject), NULL, 0},
    {"execution", 0, "ID", "the current execution: auto (default), last, none or an id",
	OPTION_STRING, offsetof(struct options, execution), NULL, 0},
    {"agent", 0, "ID", "an agent's view", OPTION_STRING, offsetof(struct options, agent), NULL, 0},
    {"sections", 0, "LIST", "only these sections, in this order", OPTION_STRING,
	offsetof(struct options, sections), NULL, 0},
    OPTIONS_HISTORY(options),
    OPTIONS_TRIM(options),
    {"inject", 0, "FILE[@PLACE]", "put text or messages at the start, before-last-user, or the end",
	OPTION_LIST, offsetof(struct options, inject), NULL, 0},
    {"inject-command", 0, "CMD[@PLACE]", "the same with what CMD writes of the last user message",
	OPTION_LIST, offsetof(struct options, inject_command), NULL, 0},
    {"inject-title", 0, "TEXT", "the first line of each text that is put in", OPTION_STRING,
	offsetof(struct options, inject_title), NULL, 0},
    {"with-system", 0, NULL, "make a system message of the context record's prompt, in front",
	OPTION_FLAG, offsetof(struct options, with_system), NULL, 0},
    {"text", 0, NULL, "with --view conversation: print role and text for people", OPTION_FLAG,
	offsetof(struct options, text), NULL, 0},
    {"merge", 0, "TEXT", "join neighbours of one role; TEXT between texts (a line end)",
	OPTION_OPTIONAL, offsetof(struct options, merge), NULL, 0},
    {"shorten", 0, "SIZE[,HEAD%]", "cut longer texts to head (50%) and tail: 2k, 800chars, 500tok",
	OPTION_STRING, offsetof(struct options, shorten), NULL, 0},
    {"shorten-errors", 0, NULL, "also keep lines that tell of an error", OPTION_FLAG,
	offsetof(struct options, shorten_errors), NULL, 0},
    {"shorten-where", 0, "SELECTOR", "shorten these messages; again: or these", OPTION_LIST,
	offsetof(struct options, shorten_where), NULL, 0},
    {"redact", 0, "KINDS", "replace secrets and personal data: secrets,pii (both by default)",
	OPTION_OPTIONAL, offsetof(struct options, redact), NULL, 0},
    {"redact-pattern", 0, "NAME=ERE", "replace what matches, too; may be given again", OPTION_LIST,
	offsetof(struct options, redact_pattern), NULL, 0},
    {"where", 0, "SELECTOR", "redact these messages only; again: or these", OPTION_LIST,
	offsetof(struct options, where), NULL, 0},
    {"redact-report", 0, "FILE", "write where something was redacted", OPTION_STRING,
	offsetof(struct options, common.finds), NULL, 0},
    OPTION_HOLD(options),
    OPTIONS_ESTIMATOR(options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-project", "[option]... [file]...",
    "Write a view of the log.", table,
    {"ctx-project --view conversation log.jsonl", "ctx-project --last 20msgs log.jsonl"},
    {0, 1, 64, 65, 66, 69, 71, 73, 74, 78}, "no message has the id of --leaf"};

void
project_chain(struct run *run, struct choice *choice, struct stage *view)
{
	struct stage *stages[HISTORY_STAGES + 1 + BEHIND_MAX + 1] = {NULL};
	unsigned count = 0;

	for (unsigned i = 0; i < choice->history.count; i++)
		stages[count++] = choice->history.stage[i];
	stages[count++] = view;
	for (unsigned i = 0; i < choice->behind_count; i++)
		stages[count++] = choice->behind[i];
	run_chain(run, stages);
}

/* The views that hold what is not decided yet. */
static void
project_window(struct run *run, const struct options *options, struct choice *choice)
{
	struct view_stage view;
	struct session *session = &view.window.held.session;

	view_stage_init(&view, &choice->view);
	view.window.limit = options->hold;
	if (options->agent != NULL)
		walk_set_agent(&session->walk, str_from(options->agent));
	run_set_session(session, options->execution, &options->common);
	project_chain(run, choice, &view.window.held.stage);
	hold_report(run, options->hold, view.window.given_up);
	view_stage_free(&view);
}

static void
project_conversation(struct run *run, const struct options *options, struct choice *choice)
{
	struct conversation conversation;

	conversation_init(&conversation, options->agent);
	run_set_walk(&conversation.walk, &options->common);
	project_chain(run, choice, &conversation.stage);
	conversation_free(&conversation);
}

/* The views that decide about each message as soon as it is read. */
static void
project_stream(struct run *run, const struct options *options, struct choice *choice)
{
	struct agent_view view;

	agent_view_init(&view, options->agent, options->view == VIEW_TRACE);
	run_set_walk(&view.walk, &options->common);
	project_chain(run, choice, &view.stage);
	agent_view_free(&view);
}

static bool
drops_attempts(const struct options *options)
{
	return options->attempts == ATTEMPTS_LAST ||
	    (options->attempts == ATTEMPTS_BY_VIEW && options->view == VIEW_REASONING);
}

static void
check_options(const struct options *options, const struct choice *choice)
{
	bool is_window = options->view == VIEW_REASONING || options->select.count > 0 ||
	    options->reject.count > 0 || drops_attempts(options);

	if (options->trace != NULL && options->view != VIEW_REASONING)
		options_fail("--trace goes with --view reasoning");
	if (options->execution != NULL && !is_window)
		options_fail("--execution goes with --view reasoning");
	if (options->text && options->view != VIEW_CONVERSATION)
		options_fail("--text goes with --view conversation");
	if (options->attempts != ATTEMPTS_BY_VIEW && options->view == VIEW_CONVERSATION)
		options_fail("--attempts goes with a view that has trace");
	hold_check(options->hold);
	if (options->hold.unit != SIZE_UNSET &&
	    (!is_window || options->sections != NULL || trim_is_set(&choice->trim)))
		options_fail(
		    "--hold goes with --view reasoning, without options that trim and --sections");
}

/* Reads --trace: one of three words, or a selector. */
static void
parse_trace(const char *trace, struct view_choice *choice)
{
	static const char *const words[] = {"current", "all", "none"};
	struct selector_error error = {BUF_INIT, 0};

	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
		if (trace == NULL || strcmp(trace, words[i]) == 0) {
			choice->trace = (enum view_trace)i;
			return;
		}
	choice->trace = VIEW_TRACE_CHOSEN;
	if (!selectors_add(&choice->chosen.select, trace, &error))
		selecting_fail("trace", trace, &error);
}

static void
parse_selectors(const struct options *options, struct choice *choice)
{
	parse_trace(options->trace, &choice->view);
	selecting_parse(&options->select, "select", &choice->within.select);
	selecting_parse(&options->reject, "reject", &choice->within.reject);
}

static bool
needs_tokens(const struct choice *choice, const struct redacting *redacting)
{
	return choice->within.select.needs_tokens || choice->within.reject.needs_tokens ||
	    choice->view.chosen.select.needs_tokens || redacting->where.select.needs_tokens;
}

/* The command of an estimator is not to see what is redacted. */
static void
check_command(
    const struct options *options, const struct choice *choice, const struct redacting *redacting)
{
	const char *name = options->estimator.name;

	if (redacting->is_on && name != NULL && strncmp(name, "cmd:", 4) == 0 &&
	    (trimming_counts(&choice->trim) || needs_tokens(choice, redacting)))
		options_fail("--estimator cmd: goes without --redact: its command would get the "
			     "text before it is redacted");
}

static void
open_choice(const struct options *options, struct choice *choice, const struct redacting *redacting,
    struct run *run)
{
	choice->view.view = (enum view)options->view;
	choice->view.drops_attempts = drops_attempts(options);
	choice->within.estimator = choice->view.chosen.estimator = &choice->estimator;
	choice->trim.estimator = &choice->estimator;
	if (options->select.count + options->reject.count > 0)
		choice->view.within = &choice->within;
	choice->counts |= trimming_counts(&choice->trim) || needs_tokens(choice, redacting);
	if (!choice->counts)
		return;
	limits_open_estimator(&choice->estimator, &options->estimator, &run->fault);
	limits_check_outputs(&choice->estimator, &options->common);
}

static void
project(struct run *run, const struct options *options, struct choice *choice)
{
	history_open(&choice->history, &options->history, options->agent, &options->common);
	if (options->sections != NULL || trim_is_set(&choice->trim))
		project_held(run, options, choice);
	else if (options->view == VIEW_REASONING || choice->view.within != NULL ||
	    choice->view.drops_attempts)
		project_window(run, options, choice);
	else if (options->view == VIEW_CONVERSATION)
		project_conversation(run, options, choice);
	else
		project_stream(run, options, choice);
	history_close(&choice->history, run);
}

int
main(int argc, char **argv)
{
	struct options options = {.view = VIEW_REASONING, .attempts = ATTEMPTS_BY_VIEW};
	int first = options_parse(&command, argc, argv, &options);
	struct choice choice = {.counts = false};
	struct injecting injecting;
	struct plain plain;
	struct edits edits;
	struct redacting redacting;
	struct run run;

	trimming_parse(&options.trim, &choice.trim);
	check_options(&options, &choice);
	parse_selectors(&options, &choice);
	edits_parse(&edits, &options, &choice);
	redacting_parse(&redacting, &options, &choice.estimator);
	check_command(&options, &choice, &redacting);
	injecting_open(&injecting, &options, argv + first, argc - first);
	run_open(&run, &options.common, argv + first, argc - first);
	run.selects = choice.trim.size.unit == SIZE_UNSET || choice.trim.size.value > 0;
	open_choice(&options, &choice, &redacting, &run);
	injecting_link(&injecting, &choice);
	redacting_open(&redacting, &run, &choice);
	edits_open(&edits, &options, &choice, &run);
	plain_init(&plain);
	if (options.text)
		choice.behind[choice.behind_count++] = &plain.stage;
	project(&run, &options, &choice);
	redacting_close(&redacting, &run);
	plain_free(&plain);
	edits_close(&edits, &run);
	injecting_close(&injecting, &run);
	if (choice.counts)
		estimator_close(&choice.estimator);
	selection_free(&choice.view.chosen);
	selection_free(&choice.within);
	trim_free(&choice.trim);
	if (run.sink.counts.written + edits.merge.joined < run.source.counts.messages)
		buf_add_str(&run.said, STR("; ctx-compact has no facts of what is hidden"));
	return run_close(&run);
}
