#ifndef CTX_PROJECT_SESSION_VIEW_H
#define CTX_PROJECT_SESSION_VIEW_H

/*
 * The view of one session: the history, one of four kinds of view, and the injections and merges.
 * There may be very many sessions, so parts that are not used take no memory.
 */

#include "edits.h"
#include "policy/view/agent_view.h"
#include "policy/view/conversation.h"
#include "policy/view/view_stage.h"

enum session_view_kind {
	SESSION_VIEW_WINDOW,
	SESSION_VIEW_CONVERSATION,
	SESSION_VIEW_STREAM,
	SESSION_VIEW_HELD,
};

struct session_view {
	struct project_choice *all;
	struct project_view *viewed; /* the session's own, or the shared one */
	enum session_view_kind kind;
	struct inject *inject; /* NULL without the option, and so is merge */
	struct merge_runs *merge;
	struct history *history; /* NULL without --leaf */
	/* Last, since only the memory of the used member is allocated. */
	union {
		struct view_stage window;         /* holds undecided messages */
		struct conversation conversation; /* holds undecided messages by itself */
		struct agent_view stream;         /* decides about each message at once */
		struct project_held held;
	};
};

/* The session of struct command. self begins with a struct project. */
size_t session_view_size(const void *self);
void session_view_stages(void *self, void *session, struct stage **stages);
void session_view_ended(void *self, void *session);
void session_view_finish(void *self, void *session);
void session_view_free(void *self, void *session);
enum command_forgotten session_view_forgotten(const void *self);

/* Sets the view of a session from the choice, which must be complete. */
void project_view_init(struct project_view *viewed, struct project_choice *all);

#endif
