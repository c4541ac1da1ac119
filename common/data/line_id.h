#ifndef DATA_LINE_ID_H
#define DATA_LINE_ID_H

/*
 * Ids of sessions that are a line each, in metadata.session_id: "line-", 32 hexadecimal digits of
 * the line's BLAKE2b, and for a line that comes again "-2", "-3" and so on. Such sessions stand one
 * behind another (data/stream_session.h).
 */

#include "base/buf.h"
#include "data/message/message.h"

enum { LINE_ID_BYTES = 16 };

/* Writes the id, as JSON, of the line that comes for the first time. */
void line_id_write(struct str line, struct buf *id);

/* Makes it the id of the line that has come so many times. */
void line_id_number(struct buf *id, uint64_t times);

/* Whether the value is such an id. */
bool line_id_is(struct json_value id);

#endif
