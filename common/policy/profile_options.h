#ifndef POLICY_PROFILE_OPTIONS_H
#define POLICY_PROFILE_OPTIONS_H

/*
 * The options that ctx-compile and a profile hand to all stages that have them.
 */

#include "base/str.h"

struct profile_option {
	const char *name;
	const char *commands; /* the commands that have it, without "ctx-", a blank before each */
	bool is_flag;         /* it takes no value; all others take one */
};

/* The option of that name, or NULL. */
const struct profile_option *profile_option_find(struct str name);

/* The option of which the name may be a slip, or NULL. */
const struct profile_option *profile_option_near(struct str name);

/* Whether a stage that runs the command, a name or a path, takes the option. */
bool profile_option_is_of(const struct profile_option *option, const char *command);

/* Whether the command, a name or a path, is one of ours. */
bool profile_option_is_ours(const char *command);

#endif
