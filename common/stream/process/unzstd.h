#ifndef PROCESS_UNZSTD_H
#define PROCESS_UNZSTD_H

/*
 * Reads files that zstd packed, regular ones that begin as zstd's do, through the zstd of the
 * system: the file is the program's standard input, and what it writes is read from a pipe. Its
 * standard error is dropped; a failure is known by its status.
 *
 *     file -> [ zstd -dc ] -> pipe
 *
 * Faults have the status 69, or 71 when the system lacks processes, descriptors or memory.
 */

#include "stream/input.h"

/* What the packed files begin with: RFC 8878, 3.1.1. */
#define UNZSTD_MAGIC "\x28\xb5\x2f\xfd"

extern const struct input_unpacker unzstd;

#endif
