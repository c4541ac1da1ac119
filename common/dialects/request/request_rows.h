#ifndef REQUEST_REQUEST_ROWS_H
#define REQUEST_REQUEST_ROWS_H

/* Requests in dialects that rows say: what they say beside their messages. */

#include "dialects/rows/row_reader.h"

/* For a row's function: puts the context record of the request at the place, whose messages stand
 * in the member of that name. Returns true. */
bool request_rows_context(struct row_reader *reader, struct row_place *place, struct str messages);

#endif
