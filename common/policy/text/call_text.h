#ifndef TEXT_CALL_TEXT_H
#define TEXT_CALL_TEXT_H

/*
 * A call in the text of an artifact or a placeholder, which a model reads: the name of its tool and
 * its target. Both come from the session and may be hostile: a name that could be mistaken for
 * other text is quoted (policy/text/quote.h).
 */

#include "data/session/session.h"

void call_text_add_tool(const struct call *call, struct buf *buf);

/* Appends the target, which may be "": a path, or the first line of any other target, cut to 120
 * bytes on a code point boundary. The use of the call must be known (session_use). */
void call_text_add_target(const struct call *call, struct buf *buf);

#endif
