#ifndef ROWS_ROW_READER_H
#define ROWS_ROW_READER_H

/*
 * The reader of a dialect that is defined by rows (row.h), and functions for the functions of its
 * rows.
 *
 *     record -> row -> drafts -> joiner -> canonical records       row_message.h
 *                 '--> history the effects of later records on earlier ones
 *
 * A session is held until it ends, since a later record may be a compaction. It is not held with
 * reading->all, or if the file has none of the dialect's marks; and a session that grows is emitted
 * meanwhile (row_growth.h). A record that no row reads passes in its place; an element of a list of
 * records that no row reads is also reported.
 */

#include "dialects/rows/row_place.h"

/* Makes the reader of the dialect: reader of struct dialect. */
struct dialect_stage *row_reader(
    const struct row_dialect *dialect, struct dialect_reading *reading);

/* Reads a value by rows, as if it were at the place. Returns false when no row matches. */
bool row_reader_read(struct row_reader *reader, const struct row_place *place,
    const struct row *rows, struct json_value value);

/* Sets a variable by its index; an absent value empties it. */
void row_reader_set(struct row_reader *reader, unsigned variable, struct json_value value);

/* Appends a string to the one that the variable has; other values change nothing. */
void row_reader_extend(struct row_reader *reader, unsigned variable, struct json_value string);

#endif
