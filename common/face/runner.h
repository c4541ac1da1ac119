#ifndef FACE_RUNNER_H
#define FACE_RUNNER_H

/*
 * How a command that is a filter runs, between its command line and its exit status. runner_main is
 * all of the main of such a command. Filters that follow each other in a pipeline can also run in
 * one process, where what one writes is not put together, written, read and scanned again:
 *
 *     source -> stages -> sink ===> source -> stages -> sink -> standard output
 *               ctx-normalize  joint          ctx-route
 *
 * The bytes that come out are those of the pipeline. Each filter has a run of its own, with its
 * counts, its report, its diagnostics and its status.
 */

#include "face/sessions.h"

struct runner {
	const char *name;
	/* Its options; or, where they are put together at run time, NULL and what looks at them. */
	const struct command *command;
	struct options_words (*look)(int argc, char *const *argv, const char *const *names);
	/* Of the command's own struct, self below, which is zeros before parse. It begins with the
	 * struct of its options, which begins with struct common_options. */
	size_t size;
	/* Parses and checks the command line. Ends the program with status 64 when it is wrong.
	 * Returns the index of the first operand that is a file. */
	int (*parse)(void *self, int argc, char **argv);
	/* Does something else instead, with other runs or with none, if options ask for it: then it
	 * returns true, with the exit status in *status. May be NULL. */
	bool (*instead)(void *self, char *const *operand, int count, int *status);
	/* Opens what the run needs; the run is open. Returns how a session is treated; self is the
	 * owner of its functions. */
	struct session_kind (*open)(void *self, struct run *run);
	/* Does all of the run where options ask for what sessions cannot do. Returns false when
	 * none does. */
	bool (*run_alone)(void *self);
	/* Called when all sessions have ended, whether a fault is set or not; adds to the
	 * report. */
	void (*finish)(void *self);
	/* Frees what self has, when the run is over. Of these three, any may be NULL. */
	void (*free)(void *self);
	/* The long names of options that do not go in one process with others: those of instead
	 * and run_alone, and those that change how output is written. NULL ends them. */
	const char *const *alone;
	/* NULL, or the same of options without which the first operand is no file. */
	const char *const *leading;
	bool reads_documents; /* input of several lines a record: in front of all others only */
};

/* A command of a pipeline, and the words of its command line. */
struct runner_part {
	const struct runner *runner;
	int argc;
	char **argv; /* argv[argc] is NULL */
};

/* Runs the command. Returns the exit status. */
int runner_main(const struct runner *runner, int argc, char **argv);

/* Runs the command on a file that is replaced; for instead. Returns the exit status. */
int runner_run_file(const struct runner *runner, void *self, struct run_file *file);

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
