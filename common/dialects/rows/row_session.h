#ifndef ROWS_ROW_SESSION_H
#define ROWS_ROW_SESSION_H

/*
 * The session that is read by rows. Its header begins it; the next header, or the end of the file,
 * ends it, and also its history, its variables and its calls without results.
 */

#include "dialects/rows/row_place.h"

/* Ends the session before, and begins the session of the header at the place. Returns false when
 * the header repeats the header of the session, or of its parent. */
bool row_session_begin(struct row_reader *reader, struct row_place *place);

/* Lets the row functions emit the values that they have gathered, and closes the message. */
void row_session_close(struct row_reader *reader);

/* Ends the session: closes its message, and drops the records that its history leaves out. */
void row_session_end(struct row_reader *reader);

#endif
