#ifndef PROCESS_RELAY_H
#define PROCESS_RELAY_H

/*
 * A pipeline of processes, as a shell starts one: each stage reads the output of the stage before.
 * The first stage reads in; the last one writes to out.
 *
 *     in -> [ stage ] -> pipe -> [ stage ] -> pipe -> [ stage ] -> out
 *                        ^ held open until the stage before has ended well
 *
 * A stage that ends with status 0 or 65 has ended well. When a stage fails in any other way, the
 * stages after it do not see the end of their input: they are ended first, so that none of them
 * writes a result of an incomplete input. All other stages get SIGTERM, and SIGKILL a second later.
 *
 * A stage may end before the end of its input. Then SIGPIPE ends the stage before it, and that is
 * no failure.
 *
 * A signal that ends this program (SIGINT, SIGTERM, SIGHUP, SIGQUIT) ends the stages first. The
 * stages are in the process group of this program, and have its standard error and environment.
 */

#include <sys/types.h>

#include "base/fault.h"

struct relay_stage {
	const char *path;   /* the program file */
	char *const *words; /* the name and the arguments of the program, ended by NULL */
	/* Instead of a file: a function that runs in a child of this program, with the standard
	 * input and output of the stage, and ends the child. error is set when the child could not
	 * get these descriptors. */
	void (*run)(void *owner, const struct fault *error);
	void *owner;
	/* Set by relay_run: */
	pid_t pid;      /* -1: not started, or reaped */
	int status;     /* as waitpid(2) gives it */
	bool is_failed; /* it failed, and not because this program ended it */
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

/* Runs the stages to their end. Returns false with the fault set when a stage cannot be started or
 * waited for (status 69, or 71 when the system lacks processes, descriptors or memory). In all
 * cases all stages have ended then. in and out stay open. */
bool relay_run(struct relay *relay, struct fault *fault);

/* Whether fd is a pipe of which all readers have closed their end. */
bool relay_is_left(int fd);

/* Whether SIGPIPE ended the stage, or its exit status (141) says the same. */
bool relay_lost_reader(const struct relay_stage *stage);

/* The exit status that a shell reports for a stage that has ended: 128 plus the number of the
 * signal if a signal ended it. */
int relay_status(const struct relay_stage *stage);

#endif
