#ifndef PROCESS_PROGRAM_H
#define PROCESS_PROGRAM_H

/* Where the running program is. */

#include <limits.h>

#include "base/str.h"

/* The directory of the program, in path, with the slash at its end: as in /proc; or without /proc
 * the path by which the program was started, with links followed. Empty when neither is known. */
struct str program_directory(char path[PATH_MAX]);

#endif
