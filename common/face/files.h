#ifndef FACE_FILES_H
#define FACE_FILES_H

/*
 * The files of a run: what is read (operands, and what options such as --system-prompt name) and what
 * is written (standard output, --bad-file, --report). No file is both, and none is written twice,
 * whatever the names by which it is called. Only regular files are compared: a pipe or a device is
 * not destroyed by a second writer.
 *
 * An output file is created, or emptied, when there is something to put there: the bad file at the
 * first bad line or at the end, the report at the end. A run that fails before leaves it as it was.
 */

#include <sys/stat.h>

#include "face/options.h"
#include "stream/input.h"

/* Dies with status 64 when an output is a file that is read or another output, 73 when an output
 * cannot be created. */
void files_check(const struct common_options *options, const struct input *in);

/* Dies with status 64 when an output is the regular file that st tells of, which is read. */
void files_check_read(const struct common_options *options, const struct stat *st);

/* Creates or empties a file and returns its descriptor; -1 with the fault set, of status 73. */
int files_create(const char *path, struct fault *fault);

#endif
