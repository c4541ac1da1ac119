#ifndef CTX_COMPILE_HANDED_H
#define CTX_COMPILE_HANDED_H

/*
 * The options that ctx-compile hands to the commands that it runs, which its table marks. A command
 * gets those that its own table has.
 */

#include <stdbool.h>

#include "face/options/common_options.h"
#include "policy/profile/profile_options.h"

struct handed {
	struct profile_options options; /* all options that are handed, in list */
	struct profile_option list[OPTIONS_MAX + 1];
};

void handed_init(struct handed *handed);

/* Whether a stage that runs the command, a name or a path, takes the option of that name. */
bool handed_is_of(const char *name, const char *command);

/* Whether the command, a name or a path, is a filter of ctx. */
bool handed_is_filter(const char *command);

#endif
