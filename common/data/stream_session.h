#ifndef DATA_STREAM_SESSION_H
#define DATA_STREAM_SESSION_H

/*
 * Finds where the next session of a stream begins, when sessions follow each other without
 * --session-key. A record shows its session by one of these:
 *
 *     the name or the mark that its reader gave it                 (struct record)
 *     the id of a session that is a line, in metadata.session_id   (data/line_id.h)
 *     metadata.x_instructor of a context record: a store of instructor begins with it
 *
 * A record with none of them belongs to the session before it. The records before the first session
 * that is a line are a session of their own. The records before the first name of a reader belong
 * to the session with that name.
 */

#include "data/record.h"

/* Whether the context record begins a store of instructor. */
bool stream_session_is_store(struct json_value record);

/* The session of the last record; zeros before the first. */
struct stream_session {
	struct hash name; /* zeros: none is known */
	bool has_begun;   /* a record came */
	bool is_marked;   /* its first record was marked, so that the next name is its name */
};

/* Takes the next record, a message or context record. Returns whether the record belongs to another
 * session than the record before; false for the first record. */
bool stream_session_parts(
    struct stream_session *session, const struct record *record, const struct message *message);

#endif
