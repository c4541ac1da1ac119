#ifndef FACE_PROGRAMS_H
#define FACE_PROGRAMS_H

/* Where the programs are that a command runs. */

#include <limits.h>
#include <stdbool.h>

/* Sets path to the file to run for the name: a path is taken as it is, a command of ctx is looked
 * for beside the running program, and anything else, or a command that is not there, on PATH. Sets
 * *is_beside if the file is a command of ctx beside this one. Returns false when there is no such
 * program. */
bool programs_find(const char *name, char path[PATH_MAX], bool *is_beside);

#endif
