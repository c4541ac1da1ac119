#ifndef POLICY_PICK_H
#define POLICY_PICK_H

/*
 * Stages that let pass what a selection chooses (policy/selection.h). Records that are no messages
 * pass.
 *
 *     pick        holds records until it is certain whether they are chosen
 *     pick_each   looks at each message alone, and holds nothing
 *     pick_count  stands behind one of them: counts the messages that come, and may stop everything
 */

#include "data/window.h"
#include "policy/selection.h"

struct pick {
	struct window window; /* first, so that it is a stage */
	struct selection *selection;
};

struct pick_each {
	struct stage stage;
	const struct selection *selection;
	struct message message; /* room to parse a record whose message is not read yet */
};

struct pick_count {
	struct stage stage;
	uint64_t messages;
	bool stops; /* nothing passes */
};

/* Before the first record, the caller may set the limit of the window and the current execution of
 * the window's session. */
void pick_init(struct pick *pick, struct selection *selection);
void pick_free(struct pick *pick);

/* For a selection that needs no session. Nothing is to be freed. */
void pick_each_init(struct pick_each *pick, const struct selection *selection);

void pick_count_init(struct pick_count *count, bool stops);

#endif
