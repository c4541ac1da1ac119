#ifndef TEXT_FILE_PATH_H
#define TEXT_FILE_PATH_H

/*
 * Paths as texts: no file is looked at.
 */

#include "base/arena.h"

/* The path without ".", "..", doubled and trailing slashes, in the arena. */
struct str file_path_normalize(struct str path, struct arena *arena);

/* Whether the path is the same in each directory: absolute, or of the home directory, "~". */
bool file_path_is_absolute(struct str path);

/* The path, which is of the directory, as it is from where that is, normalized in the arena. Where
 * the directory is "" it is not known. */
struct str file_path_below(struct str directory, struct str path, struct arena *arena);

/* Whether the path is of something in the directory, or below; both are normalized. */
bool file_path_is_under(struct str path, struct str directory);

#endif
