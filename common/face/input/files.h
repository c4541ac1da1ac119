#ifndef INPUT_FILES_H
#define INPUT_FILES_H

/*
 * The files of a run. It reads operands, and files that options such as --system-prompt name. It
 * writes standard output, --bad-file, --report, --changes and --finds. No file may be read
 * and written, or written twice, under whatever names. Only regular files are compared: a second
 * writer does not destroy a pipe or a device.
 */

#include <sys/stat.h>

#include "face/options/options.h"
#include "stream/input.h"

/* A file that a run creates, and the option that names it. */
struct files_made {
	const char *option;
	const char *path; /* or NULL */
};

enum { FILES_MADE = 4 };

void files_list_made(const struct common_options *options, struct files_made made[FILES_MADE]);

/* Sets *st to the state of the file at path, which may be NULL. Returns whether path is the name of
 * a regular file. */
bool files_find_regular(const char *path, struct stat *st);

/* Whether path, which may be NULL, is a name of the regular file whose state is st. */
bool files_is_name_of(const char *path, const struct stat *st);

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

#endif
