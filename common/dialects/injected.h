#ifndef DIALECTS_INJECTED_H
#define DIALECTS_INJECTED_H

/*
 * Text that a client puts in under the user's role: reminders, the output of its own commands,
 * notices. It is told by how it begins.
 */

#include "base/buf.h"
#include "json/walk.h"

/* How such text may begin in a dialect. */
struct injected {
	const struct str *beginning;
	size_t count;
};

/* Whether a message's content, tool results aside, holds nothing else; decodes into scratch. */
bool injected_content(const struct injected *injected, struct json_value content,
    struct buf *scratch);

#endif
