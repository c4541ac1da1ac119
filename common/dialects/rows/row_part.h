#ifndef ROWS_ROW_PART_H
#define ROWS_ROW_PART_H

/*
 * Writes the parts of a message that a row makes of a value into a draft.
 */

#include "dialects/rows/row_place.h"

/* Writes the members of the value that no row reads into json, as an object. Returns false when
 * there are none, or when the dialect does not keep them. */
bool row_part_extra(struct row_reader *reader, struct row_place *place, struct buf *json);

/* Adds the call. A call without an id gets a new one. */
void row_part_call(struct row_reader *reader, struct row_place *place, struct draft *draft);

/* Sets the id of the call that the result answers. A result without an id gets the id of the oldest
 * call whose id was made here and that has no result. */
void row_part_result_id(struct row_reader *reader, struct row_place *place, struct draft *draft);

/* Adds thinking. Returns false when the value holds none. */
bool row_part_thinking(struct row_reader *reader, struct row_place *place, struct draft *draft);

/* Adds a text, an image or a part as it is. Returns false when the value is none of these. */
bool row_part_other(struct row_reader *reader, struct row_place *place, struct draft *draft);

#endif
