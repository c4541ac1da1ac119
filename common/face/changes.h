#ifndef FACE_CHANGES_H
#define FACE_CHANGES_H

/*
 * The option --changes: a file with one JSON line for each message that was changed, dropped or
 * added, in the order of the stream. It is made from the session's list of changes, and is complete
 * before the output is written.
 */

#include "face/run.h"
#include "tokens/estimate.h"

/* A row of an option table. */
#define OPTION_CHANGES \
	{ \
		"changes", 0, "FILE", "write the changes, one JSON object a message", \
		    OPTION_STRING, offsetof(struct common_options, changes) \
	}

/*
 * Creates the file, if the options name one and the run has no fault; a failure sets the fault.
 * When is_written is false, the output is not written, and the file has no line. With is_archived a
 * line has the key under which the archive keeps the original message. The session's counts_changes
 * must have been set before its first change.
 */
void changes_write(struct session *session, struct estimator *estimator, bool is_written,
    bool is_archived, struct run *run);

#endif
