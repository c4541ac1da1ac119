#ifndef FACE_MADE_H
#define FACE_MADE_H

/*
 * Creating and appending to the files of a run. face/input/files.h lists these files, and checks
 * that none of them is read.
 *
 * An output file is created, or emptied, only when there is something to put there: the bad file at
 * the first bad line or at the end of the run, report and changes at the end. A run that fails
 * before that leaves the file as it was, unless run_empty_outputs was called.
 */

#include "base/fault.h"
#include "face/options/options.h"
#include "stream/input.h"

/* Ends the program with status 64 when an output is also read or is another output, and with 73
 * when an output cannot be created. */
void made_check(const struct common_options *options, const struct input *in);

/* Ends the program when --archive names a file that is also read or is an output, with status 64,
 * or one that has other lines than an archive's, with 65. A run asks once. */
void made_check_archive(const struct common_options *options, const struct input *in);

/* Creates or empties a file, or appends to it. Returns its descriptor, or -1 with the fault set,
 * with status 73. */
int made_create(const char *path, bool appends, struct fault *fault);

/* Empties the file at path, which may be NULL, if there is a regular one and no diagnostics go to
 * it. Sets the fault, with status 73, when it cannot be. */
void made_empty(const char *path, struct fault *fault);

#endif
