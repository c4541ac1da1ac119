#ifndef PARTS_INJECTED_H
#define PARTS_INJECTED_H

/*
 * Text that a client puts into a session under the user's role: reminders, notices, the output of
 * the client's own commands. Injected text is recognized by its beginning.
 */

#include "base/buf.h"
#include "json/members.h"

/* One way in which injected text begins in a dialect. */
struct injected_text {
	struct str beginning;
	struct str words; /* the tag that encloses the user's own words; empty: no tag */
};

struct injected {
	const struct injected_text *text;
	size_t count;
};

/* Whether the content of a message, tool results aside, is injected text only and holds no words of
 * the user's own. Strings are decoded into scratch. */
bool injected_content(
    const struct injected *injected, struct json_value content, struct buf *scratch);

#endif
