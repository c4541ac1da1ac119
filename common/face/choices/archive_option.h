#ifndef CHOICES_ARCHIVE_OPTION_H
#define CHOICES_ARCHIVE_OPTION_H

/*
 * The option --archive: what a command takes out of its stream goes into an archive before any of
 * the output is written (data/archive/archive.h).
 *
 *     archive_option_begin(&session, &run);              before a policy works
 *     archive_option_write(&archive, &session, &run);    before the session is emitted
 *     archive_option_end(&archive, &run);                when all sessions of a stream have ended,
 *                                                        before what they hold leaves
 *
 * The archive is that of the run's options; without it, none of them does anything.
 */

#include "data/archive/archive_whole.h"
#include "face/run.h"

/* Of a stream of many sessions: what was done to it, and the sessions that are archived together.
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

/* Tells the session how a model reads what is taken out. Call behind run_open, which has looked at
 * the archive (made_check_archive). */
void archive_option_begin(struct session *session, const struct run *run);

/* Gives the messages their metadata.pass, for who reads the output before it is written. */
void archive_option_mark(struct session *session, const struct run *run);

/* Appends what was changed, or notes it where the session is one of many that leave together: then
 * the session must live until archive_option_end. Where nothing was changed, the archive is there
 * all the same. When the run's fault is set by that, nothing of the output may be written. */
void archive_option_write(struct archive_option *archive, struct session *session, struct run *run);

/* Appends what was noted, in one go, unless a fault is set: of a run that failed there is nothing.
 * The same holds for the archive and the fault. Call it when the run is over, too. */
void archive_option_end(struct archive_option *archive, struct run *run);

#endif
