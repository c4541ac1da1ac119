#ifndef FACTS_CALL_OUTCOME_H
#define FACTS_CALL_OUTCOME_H

/*
 * How a call ended, as its result says.
 */

#include "data/session/session.h"

/* Whether the call of that result failed: 0: no, 1: yes, -1: nothing says it. A flag does, or an
 * exit status, also where a client put that around the output. */
int call_outcome_failed(const struct session *session, uint32_t result);

/* Whether the call, of which no flag says that it failed, did nothing, in the words of known
 * clients:
 *
 *     Error: String to replace not found in file.
 *     <tool_use_error>File has not been read yet.</tool_use_error>
 *     execution error: No such file or directory (os error 2)
 *
 * They begin the result of an edit or a patch, or are that of a read or a command: else what a tool
 * printed tells of errors and is still its output. The use of the call must be known. */
bool call_outcome_is_undone(const struct session *session, const struct call *call);

#endif
