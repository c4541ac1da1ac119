#ifndef FILE_TEMPORARY_H
#define FILE_TEMPORARY_H

/*
 * Temporary files that go with the program: they are removed by exit(3), and by every signal that
 * ends the program and can be caught. There is one of each kind at a time.
 *
 *     temporary_create      it exists, under a given name
 *     temporary_make        it exists, in the directory for temporary files
 *     temporary_keep        it has become another file, and stays
 *     temporary_remove      it is gone
 */

#include <signal.h>
#include <stdbool.h>

enum temporary {
	TEMPORARY_REPLACING,   /* what a file becomes */
	TEMPORARY_COPY_OF_OLD, /* what a stream was, for a command to read */
	TEMPORARY_COPY_OF_NEW, /* what it became, the same */
	TEMPORARY_KINDS,
};

/* Creates the file name in the directory, for its owner alone, in the place of one that a killed
 * program left. Returns a descriptor that appends, or -1 with errno set. */
int temporary_create(enum temporary kind, int directory, const char *name);

/* The directory for temporary files: TMPDIR, or /tmp. */
const char *temporary_directory(void);

/* Creates a file in that directory, for its owner alone, under a name of its own. Returns a
 * descriptor, or -1 with errno set. *path is its path until the next one of the kind is made. */
int temporary_make(enum temporary kind, const char **path);

/* The file stays. */
void temporary_keep(enum temporary kind);

/* Removes the file, if there is one. */
void temporary_remove(enum temporary kind);

/* Forgets all files, in a copy of the program: they go with the program that made them. */
void temporary_forget(void);

/* Holds back the signals that end the program; before is the mask to give back. */
void temporary_hold_signals(sigset_t *before);

/* Whether one of them has come since. */
bool temporary_is_ended(void);

/* Gives the mask back: a signal that came ends the program now. */
void temporary_release_signals(const sigset_t *before);

#endif
