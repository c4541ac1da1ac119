#ifndef CHOICES_ARCHIVE_OPTION_H
#define CHOICES_ARCHIVE_OPTION_H

/*
 * The option --archive: records that a command removes or changes go into an archive before any of
 * the output is written (data/archive/archive.h).
 *
 *     archive_option_begin(&session, &run);              before a policy works
 *     archive_option_write(&archive, &session, &run);    before the session is emitted
 *     archive_option_end(&archive, &run);                when all sessions of a stream have ended,
 *                                                        before they emit held records
 *
 * The archive is the file of --archive; without that option these functions do nothing.
 */

#include "data/archive/archive_whole.h"
#include "face/run.h"

/* Of a stream of many sessions: the changes to it, and the sessions that are archived together.
 * Zeros make an empty one. */
struct archive_option {
	struct archive_whole *whole;
	struct archive_pass *part;
	uint32_t count, cap;
};

/* A row of an option table. */
#define OPTION_ARCHIVE \
	{ \
		"archive", 0, "FILE", "append to FILE all that is changed or removed", \
		    OPTION_STRING, offsetof(struct common_options, archive) \
	}

/* Sets the session's command by which a model reads removed text. Call after run_open, which has
 * checked the archive (made_check_archive). */
void archive_option_begin(struct session *session, const struct run *run);

/* Gives the messages their metadata.pass, for a caller that reads the output before it is
 * written. */
void archive_option_mark(struct session *session, const struct run *run);

/* Appends the session's changes to the archive, or, if the session is one of many that are written
 * together, notes them: then the session must live until archive_option_end. The archive is created
 * even when nothing was changed. If this sets the run's fault, nothing of the output may be
 * written. */
void archive_option_write(struct archive_option *archive, struct session *session, struct run *run);

/* Appends all noted changes at once, unless a fault is set: a run that failed archives nothing. As
 * above, the archive is created and a failure sets the fault. Call it again when the run is
 * over. */
void archive_option_end(struct archive_option *archive, struct run *run);

#endif
