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
 * The id of a record is a hash of all messages so far, and that of the session is one of the first;
 * of a document, whose records have its id in theirs, of all. So the same messages give the same
 * bytes. A message without a timestamp is of the time of the one before, and the first is of 1970.
 *
 * Lines leave at once. Held are a message with its calls until their results are there, and a
 * document.
 */

#include "dialects/dialect.h"
#include "dialects/session_file/session_form.h"

struct dialect_stage *session_file_writer(const struct session_form *form);

/* The same for the agent of that name: writers of struct dialect. */
struct dialect_stage *session_file_claude_code(void);
struct dialect_stage *session_file_codex(void);
struct dialect_stage *session_file_pi(void);
struct dialect_stage *session_file_gemini_cli(void);
struct dialect_stage *session_file_opencode(void);

#endif
