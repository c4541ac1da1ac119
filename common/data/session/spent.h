#ifndef SESSION_SPENT_H
#define SESSION_SPENT_H

/*
 * Which texts of a session are not read again, though later records may still decide about its
 * calls. The judgement (session_judgement.h) comes at the end of an execution. It reads the text of
 * a failure, and of a call that comes after a failure and may resolve it:
 *
 *     user  call  result  call  error  call  result          the execution goes on
 *     [ spent ...........][ read by the judgement ..]
 *
 * A group is spent as a whole, with its last result. The entry of a spent text stays.
 */

#include "data/session/session.h"

/* Takes the texts from entry from on, which must be the last result of this function or 0, as far
 * as they are spent. Texts from end on are not spent. Returns the first entry whose text may still
 * be read. Calls before that entry lose their strings, which may be in its text. */
uint32_t spent_advance(struct session *session, uint32_t from, uint32_t end);

#endif
