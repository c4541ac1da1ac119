#ifndef FILE_FILE_LOOK_H
#define FILE_FILE_LOOK_H

/*
 * What is in a file, which is looked through before it is read. A file that cannot be looked
 * through, as a pipe or a packed file, may have anything in it.
 */

#include "base/fault.h"
#include "base/str.h"

/* Gives look the file at path, or the standard input where path is "-", in pieces of whole lines,
 * until look returns true. Returns whether it did, or the file cannot be looked through; where
 * opening or reading it fails, the fault is set (status 66 or 74). The place where the file is read
 * stays. */
bool file_look(
    const char *path, bool (*look)(void *self, struct str lines), void *self, struct fault *fault);

/* Whether one of the words, a list ended by NULL, may be in the file. */
bool file_look_words(const char *path, const char *const *words, struct fault *fault);

#endif
