#ifndef SESSION_FILE_SESSION_FILE_H
#define SESSION_FILE_SESSION_FILE_H

/*
 * The writer of agents' session files: a stage that makes the records of one form (session_form.h)
 * of the messages of one session, each of which repair has made whole: results directly behind
 * their call.
 *
 *     message                         record, or where holds results: call and results together
 *     a part that is a record alone   the parts before it, that part, the parts behind it
 *
 * The id of a record is a hash of what was written so far, and that of the session a hash of all:
 * two sessions that differ in any record have two. So the same messages give the same bytes, and so
 * does what is written when it is read and written again. A message without a timestamp is of the
 * time of the one before, and the first is of 1970.
 *
 * All is held until the input ends, since the first record names the session.
 */

#include "dialects/dialect.h"
#include "dialects/session_file/session_form.h"

struct dialect_stage *session_file_writer(const struct session_form *form);

/* Where records go that are put into a session which is there. */
struct session_file_place {
	struct str session; /* bare: its id */
	struct str parent;  /* of the record before, JSON; or null */
	struct str order;   /* in front of the numbers of the records */
	struct str asked;   /* bare: the order of the last record of the user */
	int64_t ms;         /* no record is of an earlier time */
	int64_t until;      /* nor of a later one; or 0 */
	/* Set by session_file_last: the same of the last record that was written; last is empty
	 * where none was. */
	char last[128], last_asked[128];
};

/* Lets a stage of session_file_writer, before it takes a message, write the records that go there
 * alone. They are emitted with LF between them, or of a document with commas, as one record. place
 * lives as long as the stage. */
void session_file_put_at(struct dialect_stage *stage, const struct session_file_place *place);

/* Lets the results that come next answer the calls of a message which stands before that place. */
void session_file_recall(struct dialect_stage *stage, const struct message *message);

/* Call when the stage has ended. */
void session_file_last(const struct dialect_stage *stage, struct session_file_place *place);

#endif
