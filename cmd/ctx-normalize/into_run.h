#ifndef CTX_NORMALIZE_INTO_RUN_H
#define CTX_NORMALIZE_INTO_RUN_H

/*
 * A run of --into: takes a log of one file, and writes that file with what the log says of it.
 */

#include "account.h"
#include "choices.h"

/* Does all of the run. Sets its fault, with status 64 or 75, and writes nothing, where the log is
 * not of the file, or the file has changed. Counts into account what became of the records. */
void into_run(const struct choices *choices, struct account *account);

#endif
