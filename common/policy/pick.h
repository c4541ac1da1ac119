#ifndef POLICY_PICK_H
#define POLICY_PICK_H

/*
 * Stages for what a selection chooses (policy/selection.h), where it needs no session: elsewhere it
 * is a view (policy/view/view_stage.h). Records that are no messages pass.
 *
 *     pick_each   looks at each message alone, and holds nothing
 *     pick_count  stands behind it, or behind a view: counts the messages that come, and may stop
 *                 everything
 */

#include "data/stage.h"
#include "policy/selection.h"

struct pick_each {
	struct stage stage;
	const struct selection *selection;
};

struct pick_count {
	struct stage stage;
	uint64_t messages;
	bool stops; /* nothing passes */
};

/* For a selection that needs no session. Nothing is to be freed. */
void pick_each_init(struct pick_each *pick, const struct selection *selection);

void pick_count_init(struct pick_count *count, bool stops);

#endif
