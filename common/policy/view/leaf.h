#ifndef VIEW_LEAF_H
#define VIEW_LEAF_H

/*
 * A stage that selects one conversation of a tree of messages. It holds all messages, and at the
 * end emits the path to one message, with the groups of all messages on the path.
 *
 *     u1 ── a1 ── u2 ── a2              u1 a1 u3 c1 r1 r2: the path to r1, and to r2
 *            └─── u3 ── c1 ── r1
 *                        └─── r2
 *
 * The parent of a message is the one that its metadata.parent_id names (or its parentId, as
 * instructor spells it): the nearest one before, or else one after. A message without a parent_id,
 * or with a parent that does not exist, follows the message before it; a message with a null
 * parent_id is a root. System and developer messages that lead the log are on every path. A path
 * ends where it would repeat a message. When no message has the id, the fault is set, with status
 * 1, and nothing is emitted.
 */

#include "base/hash/map.h"
#include "data/queue.h"

struct leaf {
	struct stage stage;
	struct walk walk;
	struct queue queue;     /* each message has the number of its parent */
	const char *id;         /* NULL: the last message of the thread */
	struct map by_id;       /* id -> the newest message of that id */
	struct leaf_wait *wait; /* messages whose parents were not before them */
	size_t wait_count, wait_cap;
	size_t before;  /* the newest message */
	size_t newest;  /* the newest message of the thread */
	bool has_begun; /* a message that is not of the leading system messages has come */
};

/* id is that of a message, or "last". */
void leaf_init(struct leaf *leaf, const char *id);

void leaf_free(struct leaf *leaf);

#endif
