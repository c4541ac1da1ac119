#ifndef BASE_FILE_H
#define BASE_FILE_H

/*
 * Files that are read as a whole: what an option names, not the stream.
 */

#include "base/fault.h"

/*
 * Appends the bytes of the file at path ("-" is standard input) to buf, at most limit of them, with
 * BUF_PADDING readable bytes behind. False, with the fault set, when it cannot be opened or is a
 * directory or longer (status 66), or cannot be read (74).
 */
bool file_read(const char *path, size_t limit, struct buf *buf, struct fault *fault);

#endif
