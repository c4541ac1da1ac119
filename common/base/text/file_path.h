#ifndef TEXT_FILE_PATH_H
#define TEXT_FILE_PATH_H

/*
 * Paths as texts. The file system is not consulted.
 */

#include "base/arena.h"

/* The path without ".", "..", doubled and trailing slashes, in the arena. ".." stays where the path
 * leads above its start. */
struct str file_path_normalize(struct str path, struct arena *arena);

/* Whether the path does not depend on the working directory: it begins with "/", or is "~" or
 * begins with "~/". */
bool file_path_is_absolute(struct str path);

/* A path that is relative to directory, with directory put before it, normalized, in the arena. An
 * absolute path, and any path when directory is "", is only normalized. */
struct str file_path_below(struct str directory, struct str path, struct arena *arena);

/* Whether the path is below the directory, at any depth. Both must be normalized. */
bool file_path_is_under(struct str path, struct str directory);

#endif
