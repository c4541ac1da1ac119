#ifndef SESSION_FILE_SESSION_ORIGIN_H
#define SESSION_FILE_SESSION_ORIGIN_H

/*
 * The origin of a session: its model and its directory. The model is taken from the last message
 * that names one, or else from the first that does: its name from metadata, provider and API from
 * metadata.x_FORMAT, under names that differ by agent. The directory, by which agents list their
 * sessions, is metadata.cwd of the first message, or else the directory of the process.
 */

#include "base/fault.h"
#include "data/message/message.h"
#include "dialects/session_file/session_form.h"

enum session_origin_kind {
	SESSION_ORIGIN_MODEL,
	SESSION_ORIGIN_PROVIDER,
	SESSION_ORIGIN_API,
	SESSION_ORIGIN_COUNT
};

struct session_origin {
	/* JSON strings; empty: none yet */
	struct buf first[SESSION_ORIGIN_COUNT], last[SESSION_ORIGIN_COUNT];
	struct buf cwd, project; /* the directory: a JSON string, and its name */
};

/* Reads the message, and sets the values, which are valid until the next message is read. A name
 * that is still to come is a mark, a byte that JSON never has. */
void session_origin_read(struct session_origin *origin, const struct session_form *form,
    const struct message *message, struct str *value);

/* Replaces the marks in the text by the first names, or by "unknown". */
void session_origin_settle(const struct session_origin *origin, struct buf *text);

/* Sets the values of the directory from the first message; they are valid as long as origin.
 * Returns false with the fault set when the process has no working directory. */
bool session_origin_open(struct session_origin *origin, const struct message *first,
    struct str *value, struct fault *fault);

void session_origin_free(struct session_origin *origin);

#endif
