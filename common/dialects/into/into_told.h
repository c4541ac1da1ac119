#ifndef INTO_INTO_TOLD_H
#define INTO_INTO_TOLD_H

/*
 * Lines that only repeat the text of a message, if that is short. A text of fewer than
 * INTO_COPY_MIN bytes is not recognized by itself, but only beside the record of the message:
 *
 *     response_item   user, "go on"
 *     event_msg       user_message, "go on"
 */

#include "dialects/into/into_state.h"

struct into_told {
	struct json_value text; /* in the line; absent: it reports no changed text */
	struct str with;        /* the new text, JSON; empty: the text is gone */
};

/* The short text of the line, and its new text. The edits must be sorted by their places. Of the
 * neighbouring records, the nearest that has the text counts. Time is linear in these
 * neighbours. */
struct into_told into_told_find(const struct into *into, const struct into_unit *unit);

#endif
