#ifndef DATA_LINE_ID_H
#define DATA_LINE_ID_H

/*
 * The ids of sessions that were one line each, in metadata.session_id: "line-" and 32 hexadecimal
 * digits of the BLAKE2b of the line. Further lines with the same bytes get "-2", "-3" and so on
 * after that. Such sessions follow each other in the stream (data/stream_session.h).
 */

#include "base/buf.h"
#include "data/message/message.h"

enum { LINE_ID_BYTES = 16 };

/* Writes the id, as JSON, for the first line with these bytes. */
void line_id_write(struct str line, struct buf *id);

/* Changes the id to that of a later line with the same bytes: times is 2 for the second one. */
void line_id_number(struct buf *id, uint64_t times);

/* Whether the value is such an id. */
bool line_id_is(struct json_value id);

#endif
