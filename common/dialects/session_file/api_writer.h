#ifndef SESSION_FILE_API_WRITER_H
#define SESSION_FILE_API_WRITER_H

/*
 * The writer of messages of an API that a form spells. Each record leaves when it is complete: it
 * holds one message, or with alternates neighbours of one role, whose results lead what the user
 * says. The writer relies on the repair before it: every call has a result, and results stand
 * directly behind their calls. What the form has no place for is counted.
 */

#include "dialects/dialect.h"
#include "dialects/session_file/session_form.h"

/* The form outlives the writer; of its values only those of the message are there. */
struct dialect_stage *api_writer(const struct session_form *form);

#endif
