#ifndef VIEW_PLAIN_H
#define VIEW_PLAIN_H

/*
 * A stage that writes messages for people, as text and no more as records:
 *
 *     user: How deep is the harbour?
 *     assistant: It is 4.2 m deep.
 *         At low water.
 *
 * A message begins with its role; every other line of its text is indented, so that no text passes
 * for another message. The text is in its visible form (base/text/visible.h), but for tabs. Media
 * stand as "[image]". Thinking, calls, and records that are no messages are left out; bad lines are
 * set aside.
 */

#include "data/stage.h"

struct plain {
	struct stage stage;
	struct buf settled; /* a record with its edit applied */
	struct buf text;    /* of the message */
	struct buf line;    /* what is written of it */
};

void plain_init(struct plain *plain);

void plain_free(struct plain *plain);

#endif
