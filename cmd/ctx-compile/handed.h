#ifndef CTX_COMPILE_HANDED_H
#define CTX_COMPILE_HANDED_H

/*
 * The options that ctx-compile hands to the commands that it runs: the rows of its table that say
 * so. A command takes the ones that its own table has.
 */

#include <stdbool.h>

#include "policy/profile_options.h"

/* All of them. Lives as long as the program. */
const struct profile_options *handed_options(void);

/* Whether a stage that runs the command, a name or a path, takes the option of that name. */
bool handed_is_of(const char *name, const char *command);

/* Whether the command, a name or a path, is a filter of ctx. */
bool handed_is_filter(const char *command);

#endif
