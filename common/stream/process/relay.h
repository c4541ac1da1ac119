#ifndef PROCESS_RELAY_H
#define PROCESS_RELAY_H

/*
 * Processes in a row, as a shell's pipeline starts them: each reads what the one before it writes.
 * The first reads this program's standard input, or stdin_fd; the last writes to out.
 *
 *     in -> [ stage ] -> pipe -> [ stage ] -> pipe -> [ stage ] -> out
 *                        ^ held open until the stage before has ended well
 *
 * A stage that ends with 0 or 65 has ended well. When another stage fails, those behind it are not
 * told that their input is at its end: all others are ended first, so that none writes a result of
 * half an input. All get SIGTERM then, and SIGKILL a second later.
 *
 * A stage may leave before its input is at its end. The one before it is ended by SIGPIPE then, and
 * that is no failure.
 *
 * A signal that ends this program (SIGINT, SIGTERM, SIGHUP, SIGQUIT) ends the stages first. They
 * stay in the process group of this program, and have its standard error and environment.
 */

#include <sys/types.h>

#include "base/fault.h"

struct relay_stage {
	const char *path;   /* the file that is run */
	char *const *words; /* its name and its arguments, ended by NULL */
	/* Instead of a file: what a copy of this program does, which has the standard input and
	 * output of the stage; it ends the copy. error is set where it does not have them. */
	void (*run)(void *owner, const struct fault *error);
	void *owner;
	/* Set by relay_run: */
	pid_t pid;      /* -1: not started, or reaped */
	int status;     /* as waitpid(2) gives it */
	bool is_failed; /* it failed of itself */
	int feed;       /* the pipe to the next stage, or -1 */
};

struct relay {
	struct relay_stage *stages;
	unsigned count; /* at least 1 */
	int in;
	int out;
	int failed;         /* set: the stage that failed, from 0, or -1 */
	bool had_bad_lines; /* set: a stage ended with 65 */
};

/* Runs the stages to their end. Returns false with the fault set when one cannot be started or
 * waited for (status 69, or 71 when the system lacks processes, descriptors or memory). Whatever
 * comes, all stages have ended then. in and out stay open. */
bool relay_run(struct relay *relay, struct fault *fault);

/* Whether fd is the end of a pipe that nobody reads any more. */
bool relay_is_left(int fd);

/* Whether the stage was ended by SIGPIPE, or says that it would have been. */
bool relay_lost_reader(const struct relay_stage *stage);

/* The exit status that a shell reports for the stage that ended: 128 and its number for a signal.
 */
int relay_status(const struct relay_stage *stage);

#endif
