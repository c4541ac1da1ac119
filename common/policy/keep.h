#ifndef POLICY_KEEP_H
#define POLICY_KEEP_H

/*
 * What compaction may not take: for each entry the strongest reason to keep it. A pair group is
 * kept for one reason as a whole.
 *
 * The recency window is a tail of the thread: the newest message or its whole group, whatever that
 * takes, and whole messages and groups before it, as long as they fit into the limits.
 *
 * The default window gives way before a budget is refused; one that the user gave never does.
 */

#include "policy/weigh.h"

/*
 * From the weakest to the strongest. From KEEP_SIBLING on, an entry is not dropped; from
 * KEEP_RECENT on, no transform changes it; from KEEP_WINDOW on, it stays byte for byte. The request
 * is the user's newest message, and, when that steers an execution under way, the one that began
 * it: a model that has worked through a thousand steps still has to know what was asked.
 */
enum keep {
	KEEP_DOOMED, /* compaction will surely drop it */
	KEEP_NOT,
	KEEP_SIBLING,    /* beside an unresolved call: its result may be shortened */
	KEEP_UNRESOLVED, /* stays, but error text may be cut */
	KEEP_RECENT,     /* the default window */
	KEEP_WINDOW,     /* the window that was asked for */
	KEEP_OPEN,
	KEEP_FROZEN, /* a bad line may hold a missing result of its group */
	KEEP_PINNED,
	KEEP_REQUEST, /* what the user asked last */
	KEEP_FRAMING, /* the first message of the user */
	KEEP_SYSTEM,  /* a system or developer message */
	KEEP_FOREIGN, /* no message of this thread, or of no known role */
};

struct keep_window {
	uint64_t turns;
	uint64_t tokens; /* UINT64_MAX: no limit */
	bool is_given;   /* by the user */
};

/*
 * What the user asked last, as entries or NONE: the newest message of the user, and where the
 * execution began that it steers, if that goes on.
 *
 * Where that began hangs on what stands between: without the group that it steered, the newest
 * message begins an execution of its own, and without an answer in front of it the first message
 * joins an earlier execution. So that the request is not lost when such a message was dropped, and
 * an open group stays open, the artifact of the compaction that dropped it says which two they
 * were.
 */
struct keep_request {
	uint32_t first;
	uint32_t newest;
};

/* The reasons by entry; the caller frees the list. artifact (an entry or NONE) is in no window,
 * wherever it stands; request is what it says of the request, and then what the request is now.
 * Counts the entries of the window. */
uint8_t *keep_find(struct session *session, const struct keep_window *window, uint32_t artifact,
    struct keep_request *request, struct estimator *estimator);

/* The reason as a phrase. */
const char *keep_name(enum keep keep);

#endif
