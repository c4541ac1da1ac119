#ifndef CTX_PROJECT_SESSION_VIEW_H
#define CTX_PROJECT_SESSION_VIEW_H

/*
 * The view of one session: history, one of four views, and what its messages get. There may be very
 * many of them, so that what is not asked for takes no room.
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
	struct project_view *viewed; /* its own, or that of all */
	enum session_view_kind kind;
	struct inject *inject; /* NULL without the option, and so is merge */
	struct merge_runs *merge;
	struct history *history; /* NULL without --leaf */
	/* Last, since the struct ends with the one that is used. */
	union {
		struct view_stage window;         /* holds what is not decided yet */
		struct conversation conversation; /* the same, by itself */
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

/* Sets what the view of a session is. The choice is complete. */
void project_view_init(struct project_view *viewed, struct project_choice *all);

#endif
