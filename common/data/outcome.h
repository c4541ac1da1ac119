#ifndef DATA_OUTCOME_H
#define DATA_OUTCOME_H

/*
 * How it ended, which only the whole session tells: which executions are over and which is current,
 * what stands for each as its final response, which groups are open, and which failures still need
 * attention. A failed result, or a call without one in an execution that is over, is unresolved
 * until it says so (resolved), a later message resolves its id, or a later call with the same key,
 * or with the same tool and target, succeeds; "resolved":false keeps it open.
 */

#include "data/session.h"

/* Which execution is current: enum, or an id. */
enum current { CURRENT_AUTO, CURRENT_LAST, CURRENT_NONE, CURRENT_ID };

/* Call once after the last record: final responses, the current execution, open and unresolved
 * groups. id is read for CURRENT_ID only. False when no execution has that id. */
bool outcome_find(struct session *session, enum current current, struct str id);

#endif
