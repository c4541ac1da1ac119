#ifndef ROWS_ROW_GROWTH_H
#define ROWS_ROW_GROWTH_H

/*
 * Emits a session while it grows (parts/growth.h): after each record, the messages already emitted
 * are compared with those that the agent still sends.
 *
 * A comparison takes time linear in the number of records. If a session changes so often that all
 * comparisons would exceed a multiple of its length, it waits for more records, or for its end.
 */

#include "dialects/rows/row_place.h"

/* Gives the message, whose draft is about to be closed, an id. */
void row_growth_name(struct row_reader *reader, struct joined *joined);

/* Sends the messages that are complete, and takes back those that are no longer right. line is the
 * newest line. */
void row_growth_send(struct row_reader *reader, const struct line *line);

/* The same at the end of the session, where no message is held back. */
void row_growth_finish(struct row_reader *reader, const struct line *line);

#endif
