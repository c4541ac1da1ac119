#ifndef PARTS_CALL_INPUT_H
#define PARTS_CALL_INPUT_H

/*
 * The arguments of a call as an object, which many formats require.
 */

#include "base/buf.h"
#include "json/value.h"

/* Appends the arguments if they are an object, or the object in the string that they are. Blank
 * arguments become {}, all others {"arguments":…}. scratch is overwritten. */
void call_input_write(struct json_value arguments, struct buf *to, struct buf *scratch);

#endif
