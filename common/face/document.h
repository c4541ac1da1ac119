#ifndef FACE_DOCUMENT_H
#define FACE_DOCUMENT_H

/*
 * A JSON document instead of lines: one array or object that is printed over several lines, as
 * editors and APIs write it.
 */

#include "base/buf.h"
#include "stream/input.h"

/* Whether the line is the beginning of a JSON text that goes on in the next line: it is valid up to
 * its end, and ends between two tokens. */
bool document_begins(const struct line *line);

/* Writes the JSON of text into line, without line feeds and the indentation behind them, and with
 * JSON_PADDING readable bytes behind it. Returns false when text is not JSON. */
bool document_unfold(struct str text, struct buf *line);

#endif
