#ifndef CHOICES_ARCHIVE_OPTION_H
#define CHOICES_ARCHIVE_OPTION_H

/*
 * The option --archive: what a command takes out of its stream goes into an archive before any of
 * the output is written (data/archive/archive.h).
 *
 *     archive_option_begin(options.archive, &session, &run);      before a policy works
 *     archive_option_write(options.archive, &session, &run);      before the session is emitted
 */

#include "face/run.h"

/* A row of an option table. */
#define OPTION_ARCHIVE \
	{ \
		"archive", 0, "FILE", "append to FILE all that is changed or removed", \
		    OPTION_STRING, offsetof(struct common_options, archive) \
	}

/* Tells the session how a model reads what is taken out, where path is not NULL. Ends the program
 * with status 64 when path is also read or is an output. Call behind run_open. */
void archive_option_begin(const char *path, struct session *session, const struct run *run);

/* Gives the messages their metadata.pass, where path is not NULL, for who reads the output before
 * it is written. */
void archive_option_mark(const char *path, struct session *session, const struct run *run);

/* Appends what was changed, where path is not NULL. Where nothing was, the archive is there all the
 * same. When the run's fault is set by that, nothing of the output may be written. */
void archive_option_write(const char *path, struct session *session, struct run *run);

#endif
