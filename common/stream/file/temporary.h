#ifndef FILE_TEMPORARY_H
#define FILE_TEMPORARY_H

/*
 * Temporary files that do not outlive the program: they are removed by exit(3), and by every signal
 * that ends the program and can be caught. There is at most one file of each kind at a time.
 *
 *     temporary_create      creates the file, under a given name
 *     temporary_make        creates the file, in the directory for temporary files
 *     temporary_keep        the file is renamed, and is not temporary any more
 *     temporary_remove      removes the file
 */

#include <signal.h>
#include <stdbool.h>

enum temporary {
	TEMPORARY_REPLACING,   /* the new content of a file that is replaced */
	TEMPORARY_COPY_OF_OLD, /* a copy of the old stream, for a command to read */
	TEMPORARY_COPY_OF_NEW, /* a copy of the new stream, for a command to read */
	TEMPORARY_KINDS,
};

/* Creates the file name in the directory, with access for its owner only. Replaces a file with that
 * name, which a killed program left. Returns a descriptor that appends, or -1 with errno set. */
int temporary_create(enum temporary kind, int directory, const char *name);

/* The directory for temporary files: TMPDIR, or /tmp. */
const char *temporary_directory(void);

/* Creates a file with a unique name in that directory, with access for its owner only. Returns a
 * descriptor, or -1 with errno set. Sets *path to its path, which is valid until the next file of
 * the kind is made. */
int temporary_make(enum temporary kind, const char **path);

/* Makes the file stay: it is not removed any more. */
void temporary_keep(enum temporary kind);

/* Removes the file, if there is one. */
void temporary_remove(enum temporary kind);

/* Forgets all files. Call this in a child after fork(2): the parent removes the files. */
void temporary_forget(void);

/* Blocks the signals that end the program. Sets *before to the old mask of signals. */
void temporary_hold_signals(sigset_t *before);

/* Whether one of these signals has come since. */
bool temporary_is_ended(void);

/* Restores the old mask. A signal that has come then ends the program. */
void temporary_release_signals(const sigset_t *before);

#endif
