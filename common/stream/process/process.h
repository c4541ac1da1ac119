#ifndef PROCESS_PROCESS_H
#define PROCESS_PROCESS_H

/*
 * Runs a user's command in the shell. The input is written to the command's standard input while
 * its standard output is read, so that neither side waits for the other for ever. The last line of
 * its standard error is kept for the diagnostic of a failure.
 *
 *     input -> pipe -> [ sh -c command, in a process group of its own ] -> pipe -> output
 *                                                                       -> pipe -> the last line
 *
 * The run is over when the shell has ended. Processes that the shell started may still hold a pipe;
 * the run does not wait for them. However the run ends, all processes of the group get SIGTERM, and
 * SIGKILL a second later. A signal that ends this program (SIGINT, SIGTERM, SIGHUP, SIGQUIT) ends
 * the group first. A command need not read all of its input.
 *
 * The command has no descriptor of this program but its three pipes, since all others are opened
 * close-on-exec. It has the environment of this program, with the variables of the run.
 */

#include <stdint.h>

#include "base/fault.h"

struct process {
	const char *command; /* the argument of sh -c */
	struct str input;
	uint64_t timeout;    /* seconds that may pass without a byte read or written; 0: no limit */
	uint64_t output_max; /* the most bytes of output */
	bool drops_output;   /* the output is read and dropped, without a limit */
	uint64_t deadline;   /* seconds that the run may take in all; 0: no limit */
	const char *const *variables; /* "NAME=value", ended by NULL, override ours; or NULL */
	int accepted;                 /* the greatest exit status that is no failure */
};

enum { PROCESS_LINE = 200 };

/* How a run ended. */
struct process_end {
	int status;   /* the exit status of the shell; -1 when the shell did not exit by itself */
	bool is_late; /* the timeout or the deadline ended the run */
	char line[PROCESS_LINE + 1]; /* the last line of standard error, cut to this length */
};

/* Runs the command to its end and appends its standard output to output. Returns false with the
 * fault set when the command fails, cannot be read from, is silent for too long, takes too long or
 * writes too much (status 69), and when the system lacks processes, descriptors or memory for the
 * command (71). Sets *end in all cases, unless end is NULL. */
bool process_run(const struct process *process, struct buf *output, struct process_end *end,
    struct fault *fault);

/* Whether the output of the command is UTF-8. If not, sets the fault, with status 69. */
bool process_check_text(const char *command, struct str output, struct fault *fault);

#endif
