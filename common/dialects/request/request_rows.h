#ifndef REQUEST_REQUEST_ROWS_H
#define REQUEST_REQUEST_ROWS_H

/* For dialects that are read by rows: the members of a request beside its messages. */

#include "dialects/rows/row_reader.h"

/* For the function of a row: emits the context record of the request at the place. messages is the
 * name of the member with the messages. Returns true. */
bool request_rows_context(struct row_reader *reader, struct row_place *place, struct str messages);

#endif
