#ifndef FACTS_FACTS_TEXT_H
#define FACTS_FACTS_TEXT_H

/*
 * The facts as lines for a model:
 *
 *     Directory: /home/ann/lamps
 *     Files read: src/lamp.c
 *     Files modified: src/pier.c
 *     Scratch files: /tmp/out
 *     Unresolved: make test
 *     Attempts: 10 of bash make test (the last failed)
 *
 * The directory is the one that shortens the absolute paths most; files under it are named by
 * relative paths. Modified files in a directory for temporary files are scratch, if another file
 * was modified elsewhere. A modified file is not named among the files read.
 */

#include "policy/facts/facts.h"

/* Appends the lines, each after a line feed. All names take at most room bytes. The files of one
 * line take at most paths bytes; modified files may take three times that, and files read a
 * quarter. Without room nothing is appended. Modified files get room before files read, and the
 * newest first. A name that could be mistaken for several names, or for a line, is quoted. */
void facts_text_write(const struct facts *facts, size_t room, size_t paths, struct buf *buf);

#endif
