#ifndef CTX_NORMALIZE_INTO_RUN_H
#define CTX_NORMALIZE_INTO_RUN_H

/*
 * A run of --into: takes the log of one file, and writes that file with the changes of the log.
 */

#include "account.h"
#include "choices.h"

/* Does the whole run. If the log is not of the file, or the file has changed, sets the run's fault,
 * with status 64 or 75, and writes nothing. Adds the fate of the records to account. */
void into_run(const struct choices *choices, struct account *account);

#endif
