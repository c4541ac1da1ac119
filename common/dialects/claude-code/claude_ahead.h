#ifndef CLAUDE_CODE_CLAUDE_AHEAD_H
#define CLAUDE_CODE_CLAUDE_AHEAD_H

/*
 * Looks through a session file of Claude Code before it is read. If the file has no compaction, and
 * no two texts of the user follow the same line, no message is taken back later
 * (claude_branches.h), so each message may be emitted at once:
 *
 *     {"parentUuid":"a","sessionId":"s","type":"user","message":{"content":"…","role":"user"}}
 *                    ^ a second one is searched for
 *
 * The search looks at bytes, not at parsed values. In a file whose lines are not spelled as the
 * agent spells them it finds neither, and the reader reports a line that takes back others.
 */

#include "base/fault.h"

/* Whether lines of the file may take back messages of earlier lines. Sets the fault if the file
 * cannot be read. */
bool claude_ahead_may_take_back(const char *path, struct fault *fault);

#endif
