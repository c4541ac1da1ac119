#ifndef OUTPUT_IN_PLACE_H
#define OUTPUT_IN_PLACE_H

/*
 * The option --in-place of commands that may replace the files that they read, and the options that
 * require it (stream/file/replace.h). Every file is a run of its own; the worst status is the
 * program's.
 */

#include "face/options/options.h"
#include "face/run.h"
#include "stream/file/replace.h"

/* Rows of an option table. needed is the option that --in-place requires, or NULL. others has more
 * options that cannot be combined with --in-place, and begins with a blank unless it is empty. */
#define OPTIONS_IN_PLACE(needed, others) \
	OPTION_ROW(common_options, "in-place", 'i', "SUFFIX", \
	    "replace the files; SUFFIX keeps the old ones", OPTION_OPTIONAL, in_place.suffix, \
	    .flags = OPTION_OWN_PROCESS, .requires = (needed), \
	    .not_with = "bad-lines=drop bad-file" others), \
	    OPTION_ROW(common_options, "min-age", 0, "TIME", \
		"leave files alone that were written to in the last TIME", OPTION_TIME, \
		in_place.min_age, NULL, offsetof(struct common_options, in_place.has_min_age), \
		.requires = "in-place"), \
	    OPTION_ROW(common_options, "follow-symlinks", 0, NULL, \
		"replace the file that a symbolic link points to", OPTION_FLAG, \
		in_place.follows_symlinks, .requires = "in-place"), \
	    OPTION_ROW(common_options, "break-hard-links", 0, NULL, \
		"replace a file that has other names, too; these stay the old file's", \
		OPTION_FLAG, in_place.breaks_hard_links, .requires = "in-place")

/* How the options say that a file is replaced. */
struct replace_options in_place_how(const struct in_place_options *options);

/* Ends the program with status 64 when there is no file, one of them is standard input, the suffix
 * has a '/', or a file of the run would get the name of another operand, option file or output. */
void in_place_check(const struct common_options *common, char *const *operand, int count);

/*
 * Calls run for each of the count files at operand, which opens its run with run_open_file. Returns
 * the worst of the statuses. Checks the options first.
 */
int in_place_run(const struct common_options *common, char *const *operand, int count,
    int (*run)(void *command, struct run_file *file), void *command);

#endif
