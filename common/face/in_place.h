#ifndef FACE_IN_PLACE_H
#define FACE_IN_PLACE_H

/*
 * The option --in-place of commands that may replace the files that they read, and the options that
 * go with it (stream/replace.h). Every file is a run of its own; the worst status is the program's.
 */

#include "face/options.h"
#include "face/run.h"

/* Rows of an option table. */
#define OPTIONS_IN_PLACE \
	{"in-place", 'i', "SUFFIX", \
	    "replace the files; keep the old ones with SUFFIX behind their names", \
	    OPTION_OPTIONAL, offsetof(struct common_options, in_place.suffix), \
	    .flags = OPTION_OWN_PROCESS}, \
	    {"min-age", 0, "TIME", "with -i, leave files alone that were written to since", \
		OPTION_STRING, offsetof(struct common_options, in_place.min_age)}, \
	    {"follow-symlinks", 0, NULL, "with -i, replace what a symbolic link points to", \
		OPTION_FLAG, offsetof(struct common_options, in_place.follows_symlinks)}, \
	{ \
		"break-hard-links", 0, NULL, \
		    "with -i, replace a file that has other names, too, which stay the old one's", \
		    OPTION_FLAG, offsetof(struct common_options, in_place.breaks_hard_links) \
	}

/*
 * Calls run for each of the count files at operand, which opens its run with run_open_file. Returns
 * the worst of the statuses. Ends the program with status 64 when there is no file, one of them is
 * standard input, an option does not go with files that are replaced, or a name that the run gives
 * to a file is that of another operand or output.
 */
int in_place_run(const struct common_options *common, char *const *operand, int count,
    int (*run)(void *command, struct run_file *file), void *command);

#endif
