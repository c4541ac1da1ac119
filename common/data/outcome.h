#ifndef DATA_OUTCOME_H
#define DATA_OUTCOME_H

/*
 * How calls ended: which groups are open, and which failures still need attention. A failed result,
 * or a call without one in an execution that is over, is unresolved until it says so (resolved), a
 * later message resolves its id, or a later call with the same key, or with the same tool and
 * target, succeeds; "resolved":false keeps it open.
 */

#include "data/transcript.h"

/* Sets is_open and is_unresolved of all groups and calls; executions must be final. */
void outcome_find(struct transcript *transcript);

#endif
