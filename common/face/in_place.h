#ifndef FACE_IN_PLACE_H
#define FACE_IN_PLACE_H

/*
 * The option --in-place of commands that may replace the files that they read, and the options that
 * go with it (stream/replace.h). Every file is a run of its own; the worst status is the program's.
 */

#include "face/options.h"
#include "face/run.h"

struct in_place_options {
	const char *suffix;  /* NULL: not in place; "": the old file does not stay */
	const char *min_age; /* as it was given, or NULL */
	bool follows_symlinks;
	bool breaks_hard_links;
};

/* Rows of an option table. The command's struct has a member in_place, a struct
 * in_place_options. */
#define OPTIONS_IN_PLACE(type) \
	{"in-place", 'i', "SUFFIX", \
	    "replace the files; keep the old ones with SUFFIX behind their names", \
	    OPTION_OPTIONAL, offsetof(struct type, in_place.suffix), NULL, 0}, \
	    {"min-age", 0, "TIME", "with -i, leave files alone that were written to since", \
		OPTION_STRING, offsetof(struct type, in_place.min_age), NULL, 0}, \
	    {"follow-symlinks", 0, NULL, "with -i, replace what a symbolic link points to", \
		OPTION_FLAG, offsetof(struct type, in_place.follows_symlinks), NULL, 0}, \
	{ \
		"break-hard-links", 0, NULL, \
		    "with -i, replace a file that has other names, too, which stay the old one's", \
		    OPTION_FLAG, offsetof(struct type, in_place.breaks_hard_links), NULL, 0 \
	}

/*
 * Calls run for each of the count files at operand, which opens its run with run_open_file. Returns
 * the worst of the statuses. Ends the program with status 64 when there is no file, one of them is
 * standard input, an option does not go with files that are replaced, or a name that the run gives
 * to a file is that of another operand or output. archive is a file that each run appends to, or
 * NULL.
 */
int in_place_run(const struct in_place_options *options, const struct common_options *common,
    const char *archive, char *const *operand, int count,
    int (*run)(void *command, struct run_file *file), void *command);

#endif
