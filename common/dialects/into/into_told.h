#ifndef INTO_INTO_TOLD_H
#define INTO_INTO_TOLD_H

/*
 * Lines that only tell what a message says, in few words: a text of less than INTO_COPY_MIN bytes
 * is no sign by itself, but it is beside the record which says it.
 *
 *     response_item   user, "go on"
 *     event_msg       user_message, "go on"
 */

#include "dialects/into/into_state.h"

struct into_told {
	struct json_value text; /* in the line; absent: it tells nothing that has changed */
	struct str with;        /* what it has become, JSON; empty: it is gone */
};

/* What the short text of the line has become, when the edits are sorted by their places. Of the
 * records beside it the nearest that says it counts. Time is that of the records beside it. */
struct into_told into_told_find(const struct into *into, const struct into_unit *unit);

#endif
