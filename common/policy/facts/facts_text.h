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
 * The directory is the one that absolute paths save most by; what is under it is told by its
 * relative path. What was modified in a directory for temporary files is scratch, where something
 * was modified elsewhere. A file that was modified is not named among those that were read.
 */

#include "policy/facts/facts.h"

/* Appends the lines, each after a line feed. The names take at most room bytes in all, and the
 * files of a line at most paths bytes, those that were modified three times and those that were
 * read a quarter of that; without room nothing is appended. What is modified gets room before what
 * is read, and the newest first. A thing that could pass for more than one thing, or
 * for a line of its own, is quoted. */
void facts_text_write(const struct facts *facts, size_t room, size_t paths, struct buf *buf);

#endif
