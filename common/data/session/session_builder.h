#ifndef SESSION_SESSION_BUILDER_H
#define SESSION_SESSION_BUILDER_H

/*
 * Fills a session with the records of a stream, in their order, with the verdicts of the walk:
 *
 *     session_init      session_add, for each record      session_end
 *
 * When an execution is over, its final response is set and its calls are judged
 * (data/session/session_judgement.h).
 */

#include "data/session/session.h"

/* Adds the next record. The bytes of line must live as long as the session. message must have been
 * read from line; for session_add_copy, from text, which is a copy of the text of line. */
void session_add(struct session *session, const struct line *line, const struct message *message);
void session_add_copy(struct session *session, const struct line *line,
    const struct message *message, struct str text);

/* Call once after the last record. */
void session_end(struct session *session);

#endif
