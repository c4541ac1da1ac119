#ifndef TEXT_FILE_PATH_H
#define TEXT_FILE_PATH_H

/*
 * Paths as texts: no file is looked at.
 */

#include "base/arena.h"

/* The path without ".", "..", doubled and trailing slashes, in the arena. */
struct str file_path_normalize(struct str path, struct arena *arena);

#endif
