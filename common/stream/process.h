#ifndef STREAM_PROCESS_H
#define STREAM_PROCESS_H

/*
 * A user's command, run by the shell as a filter: input goes into its standard input while its
 * standard output is gathered, so that neither side ever waits for the other. What it writes to
 * standard error is kept for the diagnostic of a failure, and else dropped.
 *
 *     input -> pipe -> [ sh -c command, in a process group of its own ] -> pipe -> output
 *                                                                       -> pipe -> the last line
 *
 * The run is over when the shell has ended: processes that it left behind and that still hold a
 * pipe are not waited for. However the run ends, the group is ended with it: SIGTERM, and SIGKILL a
 * second later. A signal that ends this program (SIGINT, SIGTERM, SIGHUP, SIGQUIT) ends the group
 * first. A command need not read all of its input.
 */

#include <stdint.h>

#include "base/fault.h"

struct process {
	const char *command; /* for sh -c */
	struct str input;
	uint64_t timeout;    /* seconds in which it reads and writes nothing; 0 is no limit */
	uint64_t output_max; /* bytes that an answer may have */
};

/* Runs the command to its end and appends its standard output to output. False, with a fault of
 * status 69, when it fails, is silent for too long or writes too much; status 71 when the system
 * lacks what it takes to run it. */
bool process_run(const struct process *process, struct buf *output, struct fault *fault);

#endif
