#ifndef FACTS_CALL_OUTCOME_H
#define FACTS_CALL_OUTCOME_H

/*
 * How a call ended, as its result says.
 */

#include "data/session/session.h"

/* Whether the call of that result failed: 0: no, 1: yes, -1: unknown. A flag decides, or an exit
 * status, also one that a client wrote around the output. */
int call_outcome_failed(const struct session *session, uint32_t result);

/* Whether the call did nothing although no flag says that it failed. Known clients write:
 *
 *     Error: String to replace not found in file.
 *     <tool_use_error>File has not been read yet.</tool_use_error>
 *     execution error: No such file or directory (os error 2)
 *
 * Such words must begin the result of an edit or a patch, or be the whole result of a read or a
 * command: elsewhere, output about errors is ordinary output. The use of the call must be known. */
bool call_outcome_is_undone(const struct session *session, const struct call *call);

#endif
