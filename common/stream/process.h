#ifndef STREAM_PROCESS_H
#define STREAM_PROCESS_H

/*
 * Running a user's command with the shell: what it reads lies ready in a file, so that neither side
 * ever waits for the other, and all that it writes is gathered.
 */

#include "base/buf.h"

/*
 * Runs "sh -c command" with input as its standard input and appends its standard output to output.
 * Returns its wait status as waitpid(2) gives it, or -1 with errno when it could not be run.
 */
int process_run(const char *command, struct str input, struct buf *output);

#endif
