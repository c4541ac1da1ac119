#ifndef CLAUDE_CODE_CLAUDE_AHEAD_H
#define CLAUDE_CODE_CLAUDE_AHEAD_H

/*
 * What a session file of Claude Code has, before it is read. Where it has no compaction, and no two
 * texts of the user follow the same line, nothing is taken back (claude_branches.h), and each
 * message may leave at once:
 *
 *     {"parentUuid":"a","sessionId":"s","type":"user","message":{"content":"…","role":"user"}}
 *                    ^ whose second one is looked for
 *
 * The bytes are looked at, not the values: a file of which the lines are spelled as the agent
 * spells none is read as if it had neither, and the reader says what it meets.
 */

#include "base/fault.h"

/* Whether lines of the file may take back what lines before them said. The fault is set when it
 * cannot be read. */
bool claude_ahead_may_take_back(const char *path, struct fault *fault);

#endif
