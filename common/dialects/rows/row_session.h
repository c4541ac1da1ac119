#ifndef ROWS_ROW_SESSION_H
#define ROWS_ROW_SESSION_H

/*
 * The session that is read by rows: its header begins it, and the next header, or the end of the
 * file, ends it. With it go its history, its variables and what waits for more of it.
 */

#include "dialects/rows/row_place.h"

/* Begins the session of the header at the place, and ends the one before. Returns false when the
 * header repeats that of the session, or of its parent. */
bool row_session_begin(struct row_reader *reader, struct row_place *place);

/* Makes what functions of rows have gathered, and closes the message. */
void row_session_close(struct row_reader *reader);

/* Ends the session: closes its message, and drops what its history leaves out. */
void row_session_end(struct row_reader *reader);

#endif
