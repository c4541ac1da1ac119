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

#endif
