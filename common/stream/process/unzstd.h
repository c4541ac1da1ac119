#ifndef PROCESS_UNZSTD_H
#define PROCESS_UNZSTD_H

/*
 * Reads files that zstd packed: regular files that begin with UNZSTD_MAGIC. The zstd program of the
 * system unpacks them: the file is its standard input, and its output is read from a pipe. Its
 * standard error is dropped; its exit status shows a failure.
 *
 *     file -> [ zstd -dc ] -> pipe
 *
 * Faults have the status 69, or 71 when the system lacks processes, descriptors or memory.
 */

#include "stream/input.h"

/* The first bytes of packed files: RFC 8878, 3.1.1. */
#define UNZSTD_MAGIC "\x28\xb5\x2f\xfd"

extern const struct input_unpacker unzstd;

#endif
