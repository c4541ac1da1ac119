#ifndef DIALECTS_INJECTED_H
#define DIALECTS_INJECTED_H

/*
 * Text that a client puts in under the user's role: reminders, the output of its own commands,
 * notices. It is told by how it begins.
 */

#include "base/buf.h"
#include "json/walk.h"

/* How such text may begin in a dialect. */
struct injected_text {
	struct str beginning;
	struct str words; /* the tag that encloses words of the user's own; empty: there is none */
};

struct injected {
	const struct injected_text *text;
	size_t count;
};

/* Whether a message's content, tool results aside, holds nothing else, and no words of the user's
 * own in it; decodes into scratch. */
bool injected_content(
    const struct injected *injected, struct json_value content, struct buf *scratch);

#endif
