#ifndef FACE_DOCUMENT_H
#define FACE_DOCUMENT_H

/*
 * A JSON document in the place of lines: an array or an object printed over several of them, as
 * editors and APIs leave it.
 */

#include "data/message.h"
#include "stream/input.h"

/*
 * If line, the first record of its operand and not valid by itself, begins a JSON text that all the
 * rest of the operand completes: reads it, puts it into text without the line feeds between its
 * tokens, lets line and message be that, and returns true. Otherwise the line stays what it was.
 */
bool document_join(struct input *in, struct line *line, struct message *message, struct buf *text);

#endif
