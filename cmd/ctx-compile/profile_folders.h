#ifndef CTX_COMPILE_PROFILE_FOLDERS_H
#define CTX_COMPILE_PROFILE_FOLDERS_H

/*
 * The directories in which the files of profiles are, in the order in which they are looked into:
 * those of $CTX_PROFILE_PATH, which colons part, ctx/profiles of the user's configuration, and the
 * profiles beside the vocabularies that are installed. No file is opened.
 */

#include <limits.h>

#include "base/buf.h"

/* Sets the path of the file of that name. Returns the number of the place that has it first, from 1
 * on, or 0 when none has. */
unsigned profile_folders_find(const char *name, char path[PATH_MAX]);

/* Appends a line for each file that can be found and whose name may be that of a profile and is not
 * built in: the name, a tab, and the path; sorted in each place. */
void profile_folders_list(struct buf *list);

#endif
