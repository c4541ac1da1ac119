#ifndef ROWS_ROW_READER_H
#define ROWS_ROW_READER_H

/*
 * The reader of a dialect that rows say (row.h), and what the functions of its rows may use.
 *
 *     record -> row -> drafts -> joiner -> canonical records       row_message.h
 *                 '--> history            what later records do to earlier ones
 *
 * Unless all is asked for, a session is held until it ends: a later record may be a compaction. But
 * it is not where the file has none of the dialect's marks, and one that grows leaves meanwhile
 * (row_growth.h).
 * What no row is of passes in its place; an element of a list of records that no row is of is
 * named.
 */

#include "dialects/rows/row_place.h"

/* Makes the reader of the dialect: reader of struct dialect. */
struct dialect_stage *row_reader(
    const struct row_dialect *dialect, struct dialect_reading *reading);

/* Reads a value by rows, as if it stood at the place. Returns false when no row is of it. */
bool row_reader_read(struct row_reader *reader, const struct row_place *place,
    const struct row *rows, struct json_value value);

/* Sets a variable by its index; an absent value empties it. */
void row_reader_set(struct row_reader *reader, unsigned variable, struct json_value value);

/* Appends a string to the one that the variable has; other values change nothing. */
void row_reader_extend(struct row_reader *reader, unsigned variable, struct json_value string);

#endif
