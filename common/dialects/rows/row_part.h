#ifndef ROWS_ROW_PART_H
#define ROWS_ROW_PART_H

/*
 * The pieces of a message that a row makes of a value, written into a draft.
 */

#include "dialects/rows/row_place.h"

/* Writes the members of the value that have no place as an object into json. Returns false when
 * there are none, and when they are not asked for. */
bool row_part_extra(struct row_reader *reader, struct row_place *place, struct buf *json);

/* Adds the call. One without an id gets one. */
void row_part_call(struct row_reader *reader, struct row_place *place, struct draft *draft);

/* Sets the id of the call that the result answers. Without one it is that of the oldest call that
 * got its id here and has no result. */
void row_part_result_id(struct row_reader *reader, struct row_place *place, struct draft *draft);

/* Adds thinking. Returns false when the value holds none. */
bool row_part_thinking(struct row_reader *reader, struct row_place *place, struct draft *draft);

/* Adds a text, an image or a part as it is. Returns false when the value is none. */
bool row_part_other(struct row_reader *reader, struct row_place *place, struct draft *draft);

#endif
