#ifndef STREAM_TEMPORARY_H
#define STREAM_TEMPORARY_H

/*
 * A temporary file that goes with the program: it is removed by exit(3), and by every signal that
 * ends the program and can be caught. There is one at a time.
 *
 *     temporary_create      it exists
 *     temporary_keep        it has become another file, and stays
 *     temporary_remove      it is gone
 */

#include <signal.h>
#include <stdbool.h>

/* Creates the file name in the directory, for its owner alone, in the place of one that a killed
 * program left. Returns a descriptor that appends, or -1 with errno set. */
int temporary_create(int directory, const char *name);

/* The file stays. */
void temporary_keep(void);

/* Removes the file, if there is one. */
void temporary_remove(void);

/* Holds back the signals that end the program; before is the mask to give back. */
void temporary_hold_signals(sigset_t *before);

/* Whether one of them has come since. */
bool temporary_is_ended(void);

/* Gives the mask back: a signal that came ends the program now. */
void temporary_release_signals(const sigset_t *before);

#endif
