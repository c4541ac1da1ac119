#ifndef PROCESS_SPAWN_H
#define PROCESS_SPAWN_H

/* Starting other programs: what a single command and a pipeline share. */

#include <spawn.h>

#include "stream/process/signals.h"

/* Makes a pipe, both ends close-on-exec and greater than 2: this program may have been started
 * without its standard descriptors, and then the pipe must not take their numbers. Returns 0, or an
 * error number. */
int spawn_pipe(int ends[2]);

/* Starts the file of that path on three descriptors, with the signals that this program started
 * with, and those flags (POSIX_SPAWN_SETPGROUP: in a process group of its own). Returns 0, or an
 * error number. */
int spawn_program(pid_t *pid, const char *path, char *const *words, char *const *environment,
    const int *ends, const struct signals *before, short flags);

#endif
