#ifndef FILE_FILE_LOOK_H
#define FILE_FILE_LOOK_H

/*
 * Searches a file before it is read as input. A pipe or a packed file cannot be searched; for such
 * a file the answer is always that the words may be in it.
 */

#include "base/fault.h"
#include "base/str.h"

/* Calls look with the file at path, or with standard input when path is "-", in pieces of whole
 * lines, until look returns true. Returns true when look did, and when the file cannot be searched.
 * Sets the fault (status 66 or 74) when opening or reading fails. The read position of standard
 * input is not changed. */
bool file_look(
    const char *path, bool (*look)(void *self, struct str lines), void *self, struct fault *fault);

/* Whether one of the words may be in the file. words is a list ended by NULL. */
bool file_look_words(const char *path, const char *const *words, struct fault *fault);

#endif
