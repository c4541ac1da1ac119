/*
 * ctx-project writes a view of the log. It holds the records that are not decided yet: an answer,
 * the running execution, what follows an open failure; with --sections or a trim the session.
 */
#include "edits.h"

#include <stdlib.h>

#include "../runners.h"

#include "base/mem.h"
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
	choice->counts |= trimming_counts(&choice->trim) || needs_tokens(choice, redacting);
	if (!choice->counts)
		return;
	limits_open_estimator(&choice->estimator, &options->estimator, &run->fault);
	limits_check_outputs(&choice->estimator, &options->common);
}

/* All of a run. */
struct project {
	struct options options;
	struct choice choice;
	struct edits edits;
	struct redacting redacting;
	struct injecting injecting;
	struct plain plain;
};

static struct choice *
choice_of(void *project)
{
	return &((struct project *)project)->choice;
}

enum viewing_kind { VIEWING_WINDOW, VIEWING_CONVERSATION, VIEWING_STREAM, VIEWING_HELD };

/* The view of one session: history, one of four views, and what its messages get. There may be very
 * many of them, so that what is not asked for takes no room. */
struct viewing {
	struct choice *all;
	struct project_view *viewed; /* its own, or that of all */
	enum viewing_kind kind;
	struct inject *inject; /* the next three are NULL without the option */
	struct redacting_session *redacted;
	struct merge_runs *merge;
	struct history history;
	/* Last, since the struct ends with the one that is used. */
	union {
		struct view_stage window;         /* holds what is not decided yet */
		struct conversation conversation; /* the same, by itself */
		struct agent_view stream;         /* decides about each message at once */
		struct project_held held;
	};
};

static const size_t viewing_size[] = {
    [VIEWING_WINDOW] = offsetof(struct viewing, window) + sizeof(struct view_stage),
    [VIEWING_CONVERSATION] = offsetof(struct viewing, conversation) + sizeof(struct conversation),
    [VIEWING_STREAM] = offsetof(struct viewing, stream) + sizeof(struct agent_view),
    [VIEWING_HELD] = offsetof(struct viewing, held) + sizeof(struct project_held),
};

/* The view that holds least. */
static enum viewing_kind
kind_of(const struct choice *all)
{
	const struct options *options = all->options;
	bool selects = options->select.count + options->reject.count > 0;
	bool may_hide_system =
	    selects || options->view == VIEW_CONVERSATION || options->view == VIEW_TRACE;

	if (options->sections != NULL || trim_is_set(&all->trim) ||
	    (options->with_system && may_hide_system))
		return VIEWING_HELD;
	if (options->view == VIEW_REASONING || all->view.drops_attempts || selects)
		return VIEWING_WINDOW;
	return options->view == VIEW_CONVERSATION ? VIEWING_CONVERSATION : VIEWING_STREAM;
}

static void
set_session(struct session *session, const struct options *options)
{
	if (options->agent != NULL)
		walk_set_agent(&session->walk, str_from(options->agent));
	run_set_session(session, options->execution, &options->common);
}

static struct stage *
open_view(struct viewing *viewing)
{
	const struct options *options = viewing->all->options;

	switch (viewing->kind) {
	case VIEWING_HELD:
		project_held_init(&viewing->held, viewing->all, viewing->viewed);
		set_session(&viewing->held.held.session, options);
		return &viewing->held.held.stage;
	case VIEWING_WINDOW:
		view_stage_init(&viewing->window, &viewing->viewed->view);
		viewing->window.window.limit = options->hold;
		set_session(&viewing->window.window.held.session, options);
		return &viewing->window.window.held.stage;
	case VIEWING_CONVERSATION:
		conversation_init(&viewing->conversation, options->agent);
		run_set_walk(&viewing->conversation.walk, &options->common);
		return &viewing->conversation.stage;
	case VIEWING_STREAM:
		break;
	}
	agent_view_init(&viewing->stream, options->agent, options->view == VIEW_TRACE);
	run_set_walk(&viewing->stream.walk, &options->common);
	return &viewing->stream.stage;
}

static void
set_viewed(struct project_view *viewed, struct choice *all)
{
	*viewed =
	    (struct project_view){.view = all->view, .within = all->within, .trim = all->trim};
	viewed->estimator = estimator_share(&all->estimator, &viewed->own);
	viewed->within.estimator = viewed->view.chosen.estimator = viewed->trim.estimator =
	    viewed->estimator;
	if (all->options->select.count + all->options->reject.count > 0)
		viewed->view.within = &viewed->within;
}

/* Sets what the view of a session is: that of all, unless the answer of a selector or what the
 * estimator learns is kept with it. */
static void
choose_viewed(struct viewing *viewing, struct choice *all)
{
	viewing->viewed = &all->viewed;
	if (!all->counts && all->view.trace != VIEW_TRACE_CHOSEN &&
	    all->options->select.count + all->options->reject.count == 0)
		return;
	viewing->viewed = mem_alloc(1, sizeof *viewing->viewed);
	set_viewed(viewing->viewed, all);
}

static void
open_session(void *owner, void *session, struct stage **stages)
{
	struct choice *all = choice_of(owner);
	struct viewing *viewing = session;
	const struct options *options = all->options;

	viewing->all = all;
	viewing->kind = kind_of(all);
	choose_viewed(viewing, all);
	stages = history_open(
	    &viewing->history, &options->history, options->agent, &options->common, stages);
	*stages++ = open_view(viewing);
	if (all->inject != NULL) {
		viewing->inject = mem_alloc(1, sizeof *viewing->inject);
		inject_copy(viewing->inject, all->inject);
		*stages++ = &viewing->inject->stage;
	}
	if (all->redacting->is_on) {
		viewing->redacted = mem_alloc(1, sizeof *viewing->redacted);
		stages = redacting_open_session(
		    all->redacting, viewing->redacted, viewing->viewed->estimator, stages);
	}
	if (!all->edits->merges)
		return;
	viewing->merge = mem_alloc(1, sizeof *viewing->merge);
	merge_runs_init(viewing->merge, all->edits->separator, all->run->source.in.line_max);
	*stages++ = &viewing->merge->stage;
}

static void
end_session(void *owner, void *session)
{
	(void)session;
	history_end(choice_of(owner)->run);
}

static void
finish_session(void *owner, void *session)
{
	struct choice *all = choice_of(owner);
	struct viewing *viewing = session;

	if (viewing->kind == VIEWING_HELD)
		project_held_say(&viewing->held);
	if (viewing->kind == VIEWING_WINDOW)
		all->given_up += viewing->window.window.given_up;
	if (viewing->inject != NULL)
		all->injected += viewing->inject->injected;
	if (viewing->merge != NULL)
		all->joined += viewing->merge->joined;
}

static void
close_view(struct viewing *viewing)
{
	switch (viewing->kind) {
	case VIEWING_WINDOW:
		view_stage_free(&viewing->window);
		break;
	case VIEWING_CONVERSATION:
		conversation_free(&viewing->conversation);
		break;
	case VIEWING_STREAM:
		agent_view_free(&viewing->stream);
		break;
	case VIEWING_HELD:
		held_free(&viewing->held.held);
		break;
	}
}

static void
close_session(void *owner, void *session)
{
	struct viewing *viewing = session;

	(void)owner;
	history_close(&viewing->history);
	close_view(viewing);
	if (viewing->inject != NULL)
		inject_free(viewing->inject);
	if (viewing->redacted != NULL)
		redacting_close_session(viewing->redacted);
	if (viewing->merge != NULL)
		merge_runs_free(viewing->merge);
	free(viewing->inject);
	free(viewing->redacted);
	free(viewing->merge);
	if (viewing->viewed == &viewing->all->viewed)
		return;
	estimator_free_own(&viewing->viewed->own);
	free(viewing->viewed);
}

/* Reads and checks the options, before anything is opened. */
static int
parse(void *self, int argc, char **argv)
{
	struct project *project = self;
	struct options *options = &project->options;
	struct choice *choice = &project->choice;
	int first;

	*options = (struct options){.view = VIEW_REASONING, .attempts = ATTEMPTS_BY_VIEW};
	first = options_parse(&command, argc, argv, options);
	choice->options = options;
	choice->redacting = &project->redacting;
	trimming_parse(&options->trim, &choice->trim);
	check_options(options, choice);
	project_held_parse(choice);
	parse_selectors(options, choice);
	edits_parse(&project->edits, options, choice);
	redacting_parse(&project->redacting, options);
	check_command(options, choice, &project->redacting);
	injecting_open(&project->injecting, options, argv + first, argc - first);
	return first;
}

static struct session_kind
open_run(void *self, struct run *run)
{
	struct project *project = self;
	struct choice *choice = &project->choice;

	choice->run = run;
	run->selects = choice->trim.size.unit == SIZE_UNSET || choice->trim.size.value > 0;
	open_choice(&project->options, choice, &project->redacting, run);
	injecting_link(&project->injecting, choice);
	edits_open(&project->edits, choice);
	redacting_open(&project->redacting, run);
	plain_init(&project->plain);
	if (project->options.text)
		choice->behind[choice->behind_count++] = &project->plain.stage;
	run_link_behind(run, choice->behind);
	set_viewed(&choice->viewed, choice);
	return (struct session_kind){viewing_size[kind_of(choice)], open_session, finish_session,
	    close_session, end_session, SESSIONS_KEYS_ADDED};
}

static void
finish(void *self)
{
	struct project *project = self;
	const struct options *options = &project->options;
	struct choice *choice = &project->choice;
	struct run *run = choice->run;

	if (options->sections == NULL && !trim_is_set(&choice->trim))
		hold_report(run, options->hold, choice->given_up);
	redacting_close(&project->redacting, run);
	edits_close(&project->edits, choice);
	injecting_close(&project->injecting, choice);
	if (run->sink.counts.written + choice->joined < run->source.counts.messages)
		buf_add_str(&run->said, STR("; ctx-compact has no facts of what is hidden"));
}

static void
free_project(void *self)
{
	struct project *project = self;
	struct choice *choice = &project->choice;

	plain_free(&project->plain);
	if (choice->counts)
		estimator_close(&choice->estimator);
	selection_free(&choice->view.chosen);
	selection_free(&choice->within);
	trim_free(&choice->trim);
}

static const char *const alone[] = {"text", NULL};

const struct runner project_runner = {.name = "ctx-project",
    .command = &command,
    .size = sizeof(struct project),
    .parse = parse,
    .open = open_run,
    .finish = finish,
    .free = free_project,
    .alone = alone};
