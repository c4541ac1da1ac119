#ifndef SESSION_FILE_API_WRITER_H
#define SESSION_FILE_API_WRITER_H

/*
 * The writer of messages of an API that a form spells. A record is emitted when it is complete. It
 * has one message, or, with alternates, all neighbours of one role, results before texts of the
 * user. The writer relies on the repair before it: every call has a result, and results directly
 * follow their calls. Parts for which the form has no place are dropped and counted.
 */

#include "dialects/dialect.h"
#include "dialects/session_file/session_form.h"

/* The form must outlive the writer. It may use only the values of the message. */
struct dialect_stage *api_writer(const struct session_form *form);

#endif
