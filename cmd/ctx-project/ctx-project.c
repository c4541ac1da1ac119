/*
 * ctx-project writes a view of the log. It holds the records that are not decided yet: an answer,
 * the running execution, what follows an open failure; with --sections or a trim the session.
 */
#include "edits.h"

#include <stdlib.h>

#include "../commands.h"

#include "base/mem.h"
#include "face/choices/hold.h"
#include "face/choices/select_option.h"
#include "inject_option.h"
#include "policy/view/agent_view.h"
#include "policy/view/conversation.h"
#include "policy/view/plain.h"
#include "policy/view/view_stage.h"

static const char *const views[] = {"reasoning", "conversation", "all", "trace", NULL};

static const char *const attempts[] = {"last", "all", NULL};

/* Relations of options about the execution that is current: these views have its trace. */
#define WINDOWED "view=reasoning select reject attempts=last"

static const struct option table[] = {
    OPTIONS_UNDER("The view"),
    {"view", 0, "VIEW", "reasoning (default), conversation, all or trace", OPTION_CHOICE,
	offsetof(struct options, view), views},
    {"trace", 0, "WHICH", "trace in the reasoning view: current (default), all, none or a SELECTOR",
	OPTION_STRING, offsetof(struct options, trace), .requires = "view=reasoning"},
    {"attempts", 0, "WHICH", "of a call that failed and failed again: the last time, or all",
	OPTION_CHOICE, offsetof(struct options, attempts), attempts,
	.not_with = "view=conversation"},
    {"select", 0, "SELECTOR", "of the view these messages only; again: or these", OPTION_LIST,
	offsetof(struct options, select)},
    {"reject", 0, "SELECTOR", "of the view not these messages; again: nor these", OPTION_LIST,
	offsetof(struct options, reject)},
    OPTION_EXECUTION(OPTION_ROW, options, .requires = WINDOWED),
    {"agent", 0, "ID", "an agent's view", OPTION_STRING, offsetof(struct options, agent)},
    {"sections", 0, "LIST", "only these sections, in this order", OPTION_STRING,
	offsetof(struct options, sections)},
    OPTIONS_HISTORY(options),
    OPTION_HOLD(options, .requires = WINDOWED, .not_with = "sections " OPTIONS_TRIM_NAMES),
    OPTIONS_UNDER("The newest that fit"),
    OPTIONS_TRIM(options),
    OPTIONS_UNDER("What is put in, joined and cut"),
    {"inject", 0, "FILE[@PLACE]", "put text or messages at the start, before-last-user, or the end",
	OPTION_LIST, offsetof(struct options, inject)},
    {"inject-command", 0, "CMD[@PLACE]", "the same with what CMD writes of the last user message",
	OPTION_LIST, offsetof(struct options, inject_command)},
    {"with-system", 0, NULL, "make a system message of the context record's prompt, in front",
	OPTION_FLAG, offsetof(struct options, with_system)},
    {"merge", 0, "TEXT", "join neighbours of one role; TEXT between texts (a line end)",
	OPTION_OPTIONAL, offsetof(struct options, merge)},
    {"shorten", 0, "SIZE[,HEAD%]", "cut longer texts to head (50%) and tail: 2k, 800chars, 500tok",
	OPTION_STRING, offsetof(struct options, shorten)},
    {"text", 0, NULL, "print role and text for people", OPTION_FLAG, offsetof(struct options, text),
	.flags = OPTION_OWN_PROCESS, .requires = "view=conversation"},
    OPTIONS_UNDER("Counting"),
    OPTIONS_ESTIMATOR(OPTION_ROW, options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

static bool
drops_attempts(const struct options *options)
{
	return options->attempts == ATTEMPTS_LAST ||
	    (options->attempts == ATTEMPTS_BY_VIEW && options->view == VIEW_REASONING);
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
		select_option_fail("trace", trace, &error);
}

static void
parse_selectors(const struct options *options, struct choice *choice)
{
	parse_trace(options->trace, &choice->view);
	select_option_parse(&options->select, "select", &choice->within.select);
	select_option_parse(&options->reject, "reject", &choice->within.reject);
}

static bool
needs_tokens(const struct choice *choice)
{
	return choice->within.select.needs_tokens || choice->within.reject.needs_tokens ||
	    choice->view.chosen.select.needs_tokens;
}

static void
open_choice(const struct options *options, struct choice *choice, struct run *run)
{
	choice->view.view = (enum view)options->view;
	choice->view.drops_attempts = drops_attempts(options);
	choice->counts |= trim_option_counts(&choice->trim) || needs_tokens(choice);
	if (!choice->counts)
		return;
	limits_open_estimator(&choice->estimator, &options->estimator, &run->fault);
	limits_check_outputs(&choice->estimator, &options->common);
}

/* One run. */
struct ctx_project {
	struct options options;
	struct choice choice;
	struct edits edits;
	struct inject_option injecting;
	struct plain plain;
};

static struct choice *
choice_of(void *self)
{
	return &((struct ctx_project *)self)->choice;
}

enum viewing_kind { VIEWING_WINDOW, VIEWING_CONVERSATION, VIEWING_STREAM, VIEWING_HELD };

/* The view of one session: history, one of four views, and what its messages get. There may be very
 * many of them, so that what is not asked for takes no room. */
struct viewing {
	struct choice *all;
	struct project_view *viewed; /* its own, or that of all */
	enum viewing_kind kind;
	struct inject *inject; /* NULL without the option, and so is merge */
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

static size_t
session_size(const void *self)
{
	return viewing_size[kind_of(&((const struct ctx_project *)self)->choice)];
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
open_session(void *self, void *session, struct stage **stages)
{
	struct choice *all = choice_of(self);
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
	if (!all->edits->merges)
		return;
	viewing->merge = mem_alloc(1, sizeof *viewing->merge);
	merge_runs_init(viewing->merge, all->edits->separator, all->run->source.in.line_max);
	*stages++ = &viewing->merge->stage;
}

static void
end_session(void *self, void *session)
{
	struct choice *all = choice_of(self);

	(void)session;
	all->selects &= history_end(all->run);
}

static void
finish_session(void *self, void *session)
{
	struct choice *all = choice_of(self);
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
free_session(void *self, void *session)
{
	struct viewing *viewing = session;

	(void)self;
	history_close(&viewing->history);
	close_view(viewing);
	if (viewing->inject != NULL)
		inject_free(viewing->inject);
	if (viewing->merge != NULL)
		merge_runs_free(viewing->merge);
	free(viewing->inject);
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
	struct ctx_project *project = self;
	struct options *options = &project->options;
	struct choice *choice = &project->choice;
	int first;

	*options = (struct options){.view = VIEW_REASONING, .attempts = ATTEMPTS_BY_VIEW};
	first = options_parse(&project_command, argc, argv, options);
	choice->options = options;
	trim_option_parse(&options->trim, &choice->trim);
	project_held_parse(choice);
	parse_selectors(options, choice);
	edits_parse(&project->edits, options, choice);
	inject_option_open(&project->injecting, options, argv + first, argc - first);
	return first;
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_project *project = self;
	struct choice *choice = &project->choice;

	choice->run = run;
	choice->selects = choice->trim.size.unit == SIZE_UNSET || choice->trim.size.value > 0;
	open_choice(&project->options, choice, run);
	inject_option_link(&project->injecting, choice);
	edits_open(&project->edits, choice);
	plain_init(&project->plain);
	if (project->options.text)
		choice->behind[choice->behind_count++] = &project->plain.stage;
	run_link(run, choice->behind);
	set_viewed(&choice->viewed, choice);
}

static void
finish(void *self)
{
	struct ctx_project *project = self;
	const struct options *options = &project->options;
	struct choice *choice = &project->choice;
	struct run *run = choice->run;

	if (options->sections == NULL && !trim_is_set(&choice->trim))
		hold_report(run, options->hold, choice->given_up);
	edits_close(&project->edits, choice);
	inject_option_close(&project->injecting, choice);
	if (run->sink.counts.written + choice->joined < run->source.counts.messages)
		buf_add_str(&run->said, STR("; ctx-compact has no facts of what is hidden"));
}

/* Says that there were messages, and that none is left of them. */
static void
say_nothing_left(void *self)
{
	const struct choice *choice = choice_of(self);
	const struct sink_counts *out = &choice->run->sink.counts;
	uint64_t messages = choice->run->source.counts.messages;

	if (choice->selects && messages > 0 && out->written + out->added == 0)
		diag_warn("nothing is left of %ju message%s", (uintmax_t)messages,
		    messages == 1 ? "" : "s");
}

static void
free_all(void *self)
{
	struct ctx_project *project = self;
	struct choice *choice = &project->choice;

	plain_free(&project->plain);
	if (choice->counts)
		estimator_close(&choice->estimator);
	selection_free(&choice->view.chosen);
	selection_free(&choice->within);
	trim_free(&choice->trim);
}

static const char *const essential[] = {
    "view", "trace", "select", "sections", "last", "inject", "merge", "shorten", NULL};

const struct command project_command = {.name = "ctx-project",
    .synopsis = "[option]... [file]...",
    .purpose = "Write a view of the log.",
    .kind = COMMAND_FILTER,
    .options = table,
    .essential = essential,
    .examples = {"ctx-project --view conversation log.jsonl",
	"ctx-project --last 20msgs log.jsonl"},
    .statuses = {0, 1, 64, 65, 66, 69, 71, 73, 74, 78},
    .no = "no message has the id of --leaf",
    .run = {.size = sizeof(struct ctx_project),
	.parse = parse,
	.open = open_run,
	.finish = finish,
	.written = say_nothing_left,
	.free = free_all},
    .session = {.size = session_size,
	.stages = open_session,
	.ended = end_session,
	.finish = finish_session,
	.free = free_session}};
