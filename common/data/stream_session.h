#ifndef DATA_STREAM_SESSION_H
#define DATA_STREAM_SESSION_H

/*
 * Where the next session of a stream begins, of sessions that stand one behind another without
 * --session-key. A record tells it by one of these:
 *
 *     the name or the mark that its reader gave it                 (struct record)
 *     the id of a session that is a line, in metadata.session_id   (data/line_id.h)
 *     metadata.x_instructor of a context record: a store of instructor begins with it
 *
 * A record that tells nothing is of the session before. Nothing of one session belongs to another.
 * What stands before the first line that is a session is one, too; what stands before the first
 * name that a reader gave is of the session of that name.
 */

#include "data/record.h"

/* Whether the context record begins a store of instructor. */
bool stream_session_is_store(struct json_value record);

/* The session of the last record; zeros before the first. */
struct stream_session {
	struct hash name; /* zeros: none is known */
	bool has_begun;   /* a record came */
	bool is_marked;   /* its first record is marked, and a first name is its name */
};

/* Takes the next record, a message or context record. Returns whether it is of another session than
 * the one before; the first one is not. */
bool stream_session_parts(
    struct stream_session *session, const struct record *record, const struct message *message);

#endif
