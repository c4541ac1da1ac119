#ifndef VIEW_VIEW_STAGE_H
#define VIEW_VIEW_STAGE_H

/*
 * A stage for a view of a stream. The view is the one that policy/view/view.h gives of a held
 * session, but each record is emitted as soon as its fate is certain. In the reasoning view, trace
 * of the running execution waits until the execution is over, and an unresolved group waits for a
 * message that may resolve it (data/window.h).
 */

#include "data/window.h"
#include "policy/view/view.h"

struct view_stage {
	struct window window; /* first, so that it is a stage */
	struct view_choice *choice;
};

/* choice must live as long as the stage. Before the first record, the caller may set the limit of
 * the window and the current execution of the window's session. */
void view_stage_init(struct view_stage *stage, struct view_choice *choice);

void view_stage_free(struct view_stage *stage);

#endif
