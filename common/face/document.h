#ifndef FACE_DOCUMENT_H
#define FACE_DOCUMENT_H

/*
 * A JSON document in the place of lines: an array or an object printed over several of them, as
 * editors and APIs leave it.
 */

#include "base/buf.h"
#include "stream/input.h"

/* Whether the line, which is not valid by itself, begins a JSON text: it is cut between two tokens. */
bool document_begins(const struct line *line);

/* Puts text, if it is JSON, into one line, without the line feeds between its tokens and the
 * indentation behind them, followed by JSON_PADDING readable bytes. */
bool document_unfold(struct str text, struct buf *line);

#endif
