#ifndef FACE_RUNNER_H
#define FACE_RUNNER_H

/*
 * The frame: runs a command (face/command.h) between its command line and its exit status.
 * runner_main is all of the main of a command that reads sessions. With --in-place, every file is a
 * run of its own. Commands that follow each other in a pipeline can also run in one process, where
 * what one writes is not put together, written, read and scanned again:
 *
 *     source -> stages -> sink ===> source -> stages -> sink -> standard output
 *               ctx-normalize  joint          ctx-route
 *
 * The bytes that come out are those of the pipeline. Each command has a run of its own, with its
 * counts, its report, its diagnostics and its status.
 */

#include "face/command.h"

/* A command of a pipeline, and the words of its command line. */
struct runner_part {
	const struct command *command;
	int argc;
	char **argv; /* argv[argc] is NULL */
};

/* Runs the command. Returns the exit status. */
int runner_main(const struct command *command, int argc, char **argv);

/* Where a part may stand in a process that others share. */
enum runner_place {
	RUNNER_ALONE,
	RUNNER_FIRST,    /* it reads files, or documents */
	RUNNER_ANYWHERE, /* it reads what the one before it writes, if there is one */
};

/* The place of the part, by the words of its command line. */
enum runner_place runner_find_place(const struct runner_part *part);

/* Runs count parts, one or more, as a pipeline would. *at, of which another process may look when
 * this one has ended, is always the part at work. Returns the exit status of the first part that
 * fails: the parts behind it get no end of their input then, so that they write no result of half
 * of it. Where none fails the status is 0, or 65 when one has ended with that. */
int runner_run(const struct runner_part *part, unsigned count, volatile unsigned *at);

#endif
