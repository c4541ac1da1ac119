#ifndef CTX_NORMALIZE_GC_RUN_H
#define CTX_NORMALIZE_GC_RUN_H

/*
 * A run of --gc: writes an agent's session file without what its loader does not read
 * (dialects/gc/gc.h).
 */

#include "account.h"
#include "choices.h"

/* Does all of the run. Sets its fault, with status 64, where the file is of no format that is
 * swept, and with 75, where it is in use or changes meanwhile. */
void gc_run(const struct choices *choices, struct account *account);

#endif
