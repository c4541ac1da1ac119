#ifndef FACE_FILES_H
#define FACE_FILES_H

/*
 * The files of a run. It reads operands, and files that options such as --system-prompt name. It
 * writes standard output, --bad-file, --report, --changes and --finds. No file may be read
 * and written, or written twice, under whatever names. Only regular files are compared: a second
 * writer does not destroy a pipe or a device.
 *
 * An output file is created, or emptied, only when there is something to put there: the bad file at
 * the first bad line or at the end of the run, report and changes at the end. A run that fails
 * before leaves the file as it was, but for run_empty_outputs.
 */

#include <sys/stat.h>

#include "face/options.h"
#include "stream/input.h"

/* Ends the program with status 64 when an output is also read or is another output, and with 73
 * when an output cannot be created. */
void files_check(const struct common_options *options, const struct input *in);

/* Ends the program with status 64 when an output is the regular file whose state is st, which is
 * read. */
void files_check_read(const struct common_options *options, const struct stat *st);

/* The same for the file at path, to which standard output may append, but nothing else. Returns
 * whether standard output does. */
bool files_check_log(const struct common_options *options, const char *path);

/* The same for the file at path, which the option makes the run append to, and which is no operand
 * either. The file need not exist. */
void files_check_appended(const struct common_options *options, const struct input *in,
    const char *option, const char *path);

/* Whether both paths, which may be NULL, name one regular file, or would create one. */
bool files_are_same(const char *a, const char *b);

/* Creates or empties a file, or appends to it. Returns its descriptor, or -1 with the fault set,
 * with status 73. */
int files_create(const char *path, bool appends, struct fault *fault);

/* Empties the file at path, which may be NULL, if there is a regular one and no diagnostics go to
 * it. Sets the fault, with status 73, when it cannot be. */
void files_empty(const char *path, struct fault *fault);

#endif
