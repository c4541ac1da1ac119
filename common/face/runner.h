#ifndef FACE_RUNNER_H
#define FACE_RUNNER_H

/*
 * The frame: runs a command (face/command.h) between its command line and its exit status.
 * runner_main is all of the main of a command that reads sessions. With --in-place, every file is a
 * run of its own. Commands that follow each other in a pipeline can also run in one process. There
 * the records of one command go to the next without being written, read and scanned again:
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

/* The place that a part may have in a process with several commands. */
enum runner_place {
	RUNNER_ALONE,
	RUNNER_FIRST,    /* it reads files, or documents */
	RUNNER_ANYWHERE, /* it reads the output of the part before it, if there is one */
};

/* The place of the part, by the words of its command line. */
enum runner_place runner_find_place(const struct runner_part *part);

/* Runs count parts, one or more, as a pipeline would. *at is always the number of the part at work;
 * another process may read it after this one has ended. Returns the exit status of the first part
 * that fails. The parts after that one never see the end of their input, so that they write no
 * result of half an input. Where none fails the status is 0, or 65 when one has ended with that. */
int runner_run(const struct runner_part *part, unsigned count, volatile unsigned *at);

#endif
