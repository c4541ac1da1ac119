#ifndef CTX_COMPILE_PROFILES_H
#define CTX_COMPILE_PROFILES_H

/*
 * Finds profiles: in the program itself, at a path, which has a slash, or as a file of that name in
 * one of the places (places.h). The name of a built-in profile always means the built-in one. No
 * other files are opened.
 */

#include "face/options/options.h"
#include "policy/profile/profile.h"

/* The name of the profile that runs when the command line names none: $CTX_PROFILE; else default,
 * if one of the places has it; else pragmatic. */
const char *profiles_default(void);

/* Parses the profile, after the profiles on which it is based, and adds the paths of their files to
 * files; the paths live as long as the profile. A profile named default that names no base is based
 * on pragmatic. Ends the program with a diagnostic and the status 64 when the name is not allowed,
 * 66 when there is no such profile or it cannot be read, 78 when one is malformed, or is based on
 * itself or on an unknown profile. */
void profiles_load(struct profile *profile, const char *name, struct option_list *files);

/* Appends a line for each profile that can be named: its name and its place. */
void profiles_list(struct buf *list);

#endif
