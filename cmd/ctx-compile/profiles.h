#ifndef CTX_COMPILE_PROFILES_H
#define CTX_COMPILE_PROFILES_H

/*
 * Where profiles are: in the program itself, at a path, which has a slash, or as a file of their
 * name in one of the places (places.h). The name of a built-in profile means that one always. No
 * file is opened but those asked for.
 */

#include "face/options/options.h"
#include "policy/profile/profile.h"

/* The name of the profile that runs when the command line names none: $CTX_PROFILE, or default
 * where one of the places has it, or pragmatic. */
const char *profiles_default(void);

/* Parses the profile, and before it those that it is based on, and adds the paths of their files,
 * which stay as long as the profile. A profile of the name default is based on pragmatic when it
 * says no base. Ends the program with a diagnostic:
 * 64 when the name can be none, 66 when there is none or it cannot be read, 78 when one of them is
 * malformed, or is based on itself or on none. */
void profiles_load(struct profile *profile, const char *name, struct option_list *files);

/* Appends a line for each profile that a name finds: the name, and where it stands. */
void profiles_list(struct buf *list);

#endif
