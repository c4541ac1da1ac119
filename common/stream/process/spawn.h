#ifndef PROCESS_SPAWN_H
#define PROCESS_SPAWN_H

/* Starting other programs: functions for a single command and for a pipeline. */

#include <spawn.h>

#include "stream/process/signals.h"

/* Makes a pipe whose ends are close-on-exec and greater than 2. This program may have been started
 * without its standard descriptors, and the pipe must not get their numbers. Returns 0, or an error
 * number. */
int spawn_pipe(int ends[2]);

/* Starts the program at path. ends are its three standard descriptors, and before has the signals
 * that this program started with. flags are those of posix_spawn(3); POSIX_SPAWN_SETPGROUP: in its
 * own process group. Returns 0, or an error number. */
int spawn_program(pid_t *pid, const char *path, char *const *words, char *const *environment,
    const int *ends, const struct signals *before, short flags);

#endif
