#ifndef FACE_PROGRAMS_H
#define FACE_PROGRAMS_H

/* Where the programs are that a command runs. */

#include <limits.h>
#include <stdbool.h>

/* Sets path to the file to run for the name: a path is taken as it is, a command of ctx is looked
 * for beside the running program, and anything else, or where there is none, on PATH. *is_beside
 * says that it is a command of ctx beside this one. Returns false when there is none. */
bool programs_find(const char *name, char path[PATH_MAX], bool *is_beside);

#endif
