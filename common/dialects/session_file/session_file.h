#ifndef SESSION_FILE_SESSION_FILE_H
#define SESSION_FILE_SESSION_FILE_H

/*
 * The writer of agents' session files: a stage that makes the records of one form (session_form.h)
 * of the messages of one session. The repair comes before it, so results directly follow their
 * call.
 *
 *     message                         record; or, if calls hold results, call and results together
 *     a part that is a record alone   the parts before it, that part, the parts after it
 *
 * The id of a record is a hash of everything written so far, and the id of the session a hash of
 * all records: sessions that differ in any record have different ids. So the same messages give the
 * same bytes, and a written file that is read and written again does not change. A message without
 * a timestamp has the time of the message before it; the first has a time of 1970.
 *
 * All records are held until the input ends, since the first record names the session.
 */

#include "dialects/dialect.h"
#include "dialects/session_file/session_form.h"

struct dialect_stage *session_file_writer(const struct session_form *form);

/* The place of records that are put into an existing session. */
struct session_file_place {
	struct str session; /* bare: its id */
	struct str parent;  /* the id of the record before, JSON; or null */
	struct str order;   /* the prefix of the numbers of the records */
	struct str asked;   /* bare: the order of the last record of the user */
	int64_t ms;         /* no record is of an earlier time */
	int64_t until;      /* nor of a later one; 0: no limit */
	/* Set by session_file_last: the ids of the last record that was written, and of the user's
	 * last; last is empty if none was written. */
	char last[128], last_asked[128];
};

/* Makes a stage of session_file_writer write only the records of the messages, for that place. Call
 * before the stage takes a message. All records are emitted as one, with LF between them, or commas
 * in a document. place must live as long as the stage. */
void session_file_put_at(struct dialect_stage *stage, const struct session_file_place *place);

/* Takes the model of a message for those that name none. */
void session_file_name_model(struct dialect_stage *stage, const struct message *message);

/* Notes the calls of a message before that place, so that the next results answer them. */
void session_file_recall(struct dialect_stage *stage, const struct message *message);

/* Sets last and last_asked of *place. Call when the stage has ended. */
void session_file_last(const struct dialect_stage *stage, struct session_file_place *place);

#endif
