#ifndef CTX_NORMALIZE_GC_RUN_H
#define CTX_NORMALIZE_GC_RUN_H

/*
 * A run of --gc: writes an agent's session file without the records and members that its loader
 * does not read (dialects/gc/gc.h).
 */

#include "account.h"
#include "choices.h"

/* Does the whole run. Sets the run's fault, with status 64 if no rules for --gc exist for the
 * file's format, and with 75 if the file is in use or changes meanwhile. */
void gc_run(const struct choices *choices, struct account *account);

#endif
