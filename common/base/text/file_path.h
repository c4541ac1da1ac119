#ifndef TEXT_FILE_PATH_H
#define TEXT_FILE_PATH_H

/*
 * Paths as texts: no file is looked at.
 */

#include "base/arena.h"

/* The path without ".", "..", doubled and trailing slashes, in the arena. */
struct str file_path_normalize(struct str path, struct arena *arena);

/* The path, which is of the directory, as it is from where that is: normalized in the arena, below
 * the directory; the path itself where that is "", or it is absolute or of the home directory. */
struct str file_path_below(struct str directory, struct str path, struct arena *arena);

#endif
