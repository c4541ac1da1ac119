#ifndef POLICY_KEEP_H
#define POLICY_KEEP_H

/*
 * The entries that compaction must leave: each entry has the strongest reason to keep it. All
 * members of a pair group have the same reason. The one exception is an unresolved group, where the
 * results beside the failure have a weaker one.
 *
 * The recency window is the newest part of the session. The newest message, with its whole group,
 * is always in the window, whatever its size. Older messages and groups follow, each as a whole,
 * as long as they fit into the limits of the window.
 *
 * Before a budget is refused, the default window gives way. A window that the user gave never
 * gives way.
 */

#include "data/select/selectors.h"
#include "policy/framing.h"
#include "policy/budget/goals.h"

/*
 * The reasons, from the weakest to the strongest. From KEEP_SIBLING on, an entry is not dropped.
 * From KEEP_RECENT on, no transform changes the entry. From KEEP_WINDOW on, the entry stays byte
 * for byte, unless the user lets what was asked be cut.
 *
 * A model that has worked through a thousand steps still has to know what was asked. So the request
 * is the user's newest message and, when that message steers an execution under way, the message
 * that began the execution.
 */
enum keep {
	KEEP_DOOMED, /* compaction will surely drop it */
	KEEP_NOT,
	KEEP_SIBLING,    /* beside an unresolved call: its result may be shortened */
	KEEP_UNRESOLVED, /* a failure: it stays, but its error text may be cut */
	KEEP_RECENT,     /* the default window */
	KEEP_CRITICAL,   /* it stays, but long texts may be cut before a refusal */
	KEEP_WINDOW,     /* the window that the user gave */
	KEEP_REQUEST,    /* the user's request */
	KEEP_FRAMING,    /* the user's messages before the first answer */
	KEEP_CACHED,     /* in the provider's cache */
	KEEP_UNSELECTED, /* not selected by --select */
	KEEP_PROTECTED,  /* by the user */
	KEEP_OPEN,
	KEEP_FROZEN, /* a bad line may hold a missing result of its group */
	KEEP_PINNED,
	KEEP_SYSTEM,  /* a system or developer message */
	KEEP_FOREIGN, /* no message, another agent's, or of an unknown role */
};

struct keep_window {
	uint64_t turns;    /* at most UINT32_MAX, which is no limit */
	uint64_t messages; /* UINT64_MAX: no limit */
	uint64_t tokens;   /* UINT64_MAX: no limit */
	bool is_given;     /* by the user */
};

/* What the user keeps from compaction, beside the window. Of a pair group, all members are selected
 * when one is. An artifact of an earlier compaction is kept by cached alone. */
struct keep_choice {
	const struct selectors *select; /* what may be touched; without a selector: everything */
	const struct selectors *protect;
	uint64_t cached; /* the first messages of the stream that stay as they are */
};

/*
 * The user's request, as entries or NONE: the user's newest message, and the first message of the
 * execution that the newest message steers. Where no such execution goes on, first is newest.
 *
 * What is left after a compaction does not always show the first message. Without the group that it
 * steered, the newest message begins an execution of its own. Without the answer before it, the
 * first message joins an earlier execution. So the artifact of a compaction names both messages:
 * the request is not lost, and an open group stays open.
 */
struct keep_request {
	uint32_t first;
	uint32_t newest;
};

/* Returns the reasons by entry; the caller frees the list. The default window leaves room for the
 * goals. artifact is an entry or NONE, and is in no window. *request is in and out: the request
 * that the artifact names, then the current request. Counts the tokens of the entries in the
 * window. */
uint8_t *keep_find(struct session *session, const struct keep_window *window,
    const struct keep_choice *choice, uint32_t artifact, const struct framing *framing,
    struct keep_request *request, const struct goals *goals, struct estimator *estimator);

/* Whether the entry is an open failure: a failed result without a call, or the result of an
 * unresolved call. */
bool keep_is_failure(const struct session *session, uint32_t entry);

/* The reason as a phrase. */
const char *keep_name(enum keep keep);

#endif
