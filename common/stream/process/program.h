#ifndef PROCESS_PROGRAM_H
#define PROCESS_PROGRAM_H

/* Where the running program is. */

#include <limits.h>

#include "base/str.h"

/* The directory of the program, in path, with the slash at its end: what /proc says; or without
 * /proc the path by which the program was started, of which links are followed. Empty when neither
 * is known. */
struct str program_directory(char path[PATH_MAX]);

#endif
