#ifndef BASE_FILE_H
#define BASE_FILE_H

/*
 * Reading a whole file that an option names. The stream is read by stream/input.h instead.
 */

#include "base/fault.h"

/*
 * Appends the bytes of the file at path to buf, with BUF_PADDING readable bytes behind them. The
 * path "-" means standard input. Returns false with the fault set when the file cannot be opened,
 * is a directory, or has more than limit bytes (status 66), and when reading fails (74).
 */
bool file_read(const char *path, size_t limit, struct buf *buf, struct fault *fault);

#endif
