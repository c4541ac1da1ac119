#ifndef PROFILE_PROFILE_OPTIONS_H
#define PROFILE_PROFILE_OPTIONS_H

/*
 * The options that a profile hands to all stages that have them. The reader of the profile gives
 * the list, and says which command has which option.
 */

#include <stdbool.h>

#include "base/str.h"

struct profile_option {
	const char *name;
	bool is_flag; /* it takes no value; all others take one */
};

struct profile_options {
	const struct profile_option *option; /* ended by a NULL name */
	/* Whether a stage that runs the command, a name or a path, takes the option. */
	bool (*is_of)(const struct profile_option *option, const char *command);
};

/* The option of that name, or NULL. */
const struct profile_option *profile_option_find(
    const struct profile_options *options, struct str name);

/* The option of which the name may be a slip, or NULL. */
const struct profile_option *profile_option_near(
    const struct profile_options *options, struct str name);

#endif
