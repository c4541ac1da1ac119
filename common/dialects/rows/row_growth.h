#ifndef ROWS_ROW_GROWTH_H
#define ROWS_ROW_GROWTH_H

/*
 * A session that leaves while it grows (parts/growth.h): what left and what is still sent by the
 * agent are compared behind each record.
 *
 * To compare takes time in the number of records. A session that turns so often that this would be
 * more than some times its length waits: for more records, or its end.
 */

#include "dialects/rows/row_place.h"

/* Gives the message, whose draft is about to be closed, an id. */
void row_growth_name(struct row_reader *reader, struct joined *joined);

/* Sends what is complete by now, and takes back what is not right any more. line is the newest. */
void row_growth_send(struct row_reader *reader, const struct line *line);

/* The same at the end of the session, where nothing waits. */
void row_growth_finish(struct row_reader *reader, const struct line *line);

#endif
