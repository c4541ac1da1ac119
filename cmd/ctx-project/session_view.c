#include "session_view.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/tombstone.h"
#include "policy/view/leaf.h"
#include "policy/view/merge_runs.h"

/*
 * With --leaf, the history before every view: one path in a tree of messages, without messages that
 * later ones of the path forget. Without --leaf, the frame of the commands removes forgotten
 * messages.
 */

struct history {
	struct leaf leaf;
	struct tombstone tombstone;
};

/* Makes the history of a session. Sets its stages, in their order, and moves *stages to the place
 * of the next stage. agent is the agent of the thread, or NULL. */
static struct history *
history_new(const char *leaf, const char *agent, const struct common_options *common,
    struct stage ***stages)
{
	struct history *history = mem_alloc(1, sizeof *history);

	leaf_init(&history->leaf, leaf);
	if (agent != NULL)
		walk_set_agent(&history->leaf.walk, str_from(agent));
	run_set_walk(&history->leaf.walk, common);
	tombstone_init(&history->tombstone, false);
	*(*stages)++ = &history->leaf.stage;
	if (common->forgotten == FORGOTTEN_HIDE)
		*(*stages)++ = &history->tombstone.stage;
	return history;
}

/* Call when the stages of a session have ended. If the leaf was not found they have stopped, but
 * the run goes on to its end, with status 1. Returns whether the leaf was found. */
static bool
history_end(struct run *run)
{
	if (run->fault.status != STATUS_NO) /* no failure of the run: the leaf does not exist */
		return true;
	diag_warn("%.*s", STR_ARG(buf_str(&run->fault.text)));
	fault_free(&run->fault);
	run_fail(run, STATUS_NO);
	return false;
}

/* history may be NULL. */
static void
history_free(struct history *history)
{
	if (history == NULL)
		return;
	leaf_free(&history->leaf);
	tombstone_free(&history->tombstone);
	free(history);
}

static const size_t view_sizes[] = {
    [SESSION_VIEW_WINDOW] = offsetof(struct session_view, window) + sizeof(struct view_stage),
    [SESSION_VIEW_CONVERSATION] =
	offsetof(struct session_view, conversation) + sizeof(struct conversation),
    [SESSION_VIEW_STREAM] = offsetof(struct session_view, stream) + sizeof(struct agent_view),
    [SESSION_VIEW_HELD] = offsetof(struct session_view, held) + sizeof(struct project_held),
};

/* The view that holds least. */
static enum session_view_kind
kind_of(const struct project_choice *all)
{
	const struct options *options = all->options;
	bool selects = options->select.count + options->reject.count > 0;
	bool may_hide_system =
	    selects || options->view == VIEW_CONVERSATION || options->view == VIEW_TRACE;

	if (options->sections != NULL || trim_is_set(&all->trim) ||
	    (options->with_system && may_hide_system))
		return SESSION_VIEW_HELD;
	if (options->view == VIEW_REASONING || all->view.drops_attempts || selects)
		return SESSION_VIEW_WINDOW;
	return options->view == VIEW_CONVERSATION ? SESSION_VIEW_CONVERSATION : SESSION_VIEW_STREAM;
}

size_t
session_view_size(const void *self)
{
	return view_sizes[kind_of(&((const struct project *)self)->choice)];
}

static void
set_session(struct session *session, const struct options *options)
{
	if (options->agent != NULL)
		walk_set_agent(&session->walk, str_from(options->agent));
	run_set_session(session, options->execution, &options->common);
}

static struct stage *
open_view(struct session_view *view)
{
	const struct options *options = view->all->options;

	switch (view->kind) {
	case SESSION_VIEW_HELD:
		project_held_init(&view->held, view->all, view->viewed);
		set_session(&view->held.held.session, options);
		return &view->held.held.stage;
	case SESSION_VIEW_WINDOW:
		view_stage_init(&view->window, &view->viewed->view);
		view->window.window.limit = options->hold;
		set_session(&view->window.window.held.session, options);
		return &view->window.window.held.stage;
	case SESSION_VIEW_CONVERSATION:
		conversation_init(&view->conversation, options->agent);
		run_set_walk(&view->conversation.walk, &options->common);
		return &view->conversation.stage;
	case SESSION_VIEW_STREAM:
		break;
	}
	agent_view_init(&view->stream, options->agent, options->view == VIEW_TRACE);
	run_set_walk(&view->stream.walk, &options->common);
	return &view->stream.stage;
}

void
project_view_init(struct project_view *viewed, struct project_choice *all)
{
	*viewed =
	    (struct project_view){.view = all->view, .within = all->within, .trim = all->trim};
	viewed->estimator = estimator_share(&all->estimator, &viewed->own);
	viewed->within.estimator = viewed->view.chosen.estimator = viewed->trim.estimator =
	    viewed->estimator;
	if (all->options->select.count + all->options->reject.count > 0)
		viewed->view.within = &viewed->within;
}

/* Sets the view of a session: the shared one, unless the answers of a selector or the state of the
 * estimator must be kept for the session. */
static void
choose_viewed(struct session_view *view, struct project_choice *all)
{
	view->viewed = &all->viewed;
	if (!all->counts && all->view.trace != VIEW_TRACE_CHOSEN &&
	    all->options->select.count + all->options->reject.count == 0)
		return;
	view->viewed = mem_alloc(1, sizeof *view->viewed);
	project_view_init(view->viewed, all);
}

void
session_view_stages(void *self, void *session, struct stage **stages)
{
	struct project_choice *all = &((struct project *)self)->choice;
	struct session_view *view = session;
	const struct options *options = all->options;

	view->all = all;
	view->kind = kind_of(all);
	choose_viewed(view, all);
	if (options->leaf != NULL)
		view->history =
		    history_new(options->leaf, options->agent, &options->common, &stages);
	*stages++ = open_view(view);
	if (all->inject != NULL) {
		view->inject = mem_alloc(1, sizeof *view->inject);
		inject_copy(view->inject, all->inject);
		*stages++ = &view->inject->stage;
	}
	if (!all->edits->merges)
		return;
	view->merge = mem_alloc(1, sizeof *view->merge);
	merge_runs_init(view->merge, all->edits->separator, all->run->source.in.line_max);
	*stages++ = &view->merge->stage;
}

/* Tombstones of other paths do not count: with --leaf, the stage is after the stage of the path. */
enum command_forgotten
session_view_forgotten(const void *self)
{
	const struct project *project = self;

	return project->options.leaf != NULL ? COMMAND_FORGOTTEN_STAY : COMMAND_FORGOTTEN_GO;
}

void
session_view_ended(void *self, void *session)
{
	struct project_choice *all = &((struct project *)self)->choice;

	(void)session;
	all->selects &= history_end(all->run);
}

void
session_view_finish(void *self, void *session)
{
	struct project_choice *all = &((struct project *)self)->choice;
	struct session_view *view = session;

	if (view->kind == SESSION_VIEW_HELD)
		project_held_say(&view->held);
	if (view->kind == SESSION_VIEW_WINDOW)
		all->given_up += view->window.window.given_up;
	if (view->inject != NULL)
		all->injected += view->inject->injected;
	if (view->merge != NULL)
		all->joined += view->merge->joined;
}

void
session_view_free(void *self, void *session)
{
	struct session_view *view = session;

	(void)self;
	history_free(view->history);
	switch (view->kind) {
	case SESSION_VIEW_WINDOW:
		view_stage_free(&view->window);
		break;
	case SESSION_VIEW_CONVERSATION:
		conversation_free(&view->conversation);
		break;
	case SESSION_VIEW_STREAM:
		agent_view_free(&view->stream);
		break;
	case SESSION_VIEW_HELD:
		held_free(&view->held.held);
		break;
	}
	if (view->inject != NULL)
		inject_free(view->inject);
	if (view->merge != NULL)
		merge_runs_free(view->merge);
	free(view->inject);
	free(view->merge);
	if (view->viewed == &view->all->viewed)
		return;
	estimator_free_own(&view->viewed->own);
	free(view->viewed);
}
