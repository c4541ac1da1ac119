#ifndef PARTS_CALL_INPUT_H
#define PARTS_CALL_INPUT_H

/*
 * The arguments of a call as an object, as many formats ask for it.
 */

#include "base/buf.h"
#include "json/value.h"

/* Appends the object that the arguments are, or that they have in a string. Blank ones are {}, and
 * any others become {"arguments":…}. scratch is overwritten. */
void call_input_write(struct json_value arguments, struct buf *to, struct buf *scratch);

#endif
