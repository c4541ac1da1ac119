#ifndef TEXT_LINE_START_H
#define TEXT_LINE_START_H

/*
 * The start of a text as one line: blanks for line feeds and tabs, control characters made visible.
 * A text of more than most bytes is cut at a blank in its second half, or else between code points,
 * and " …" says so.
 */

#include "base/buf.h"

void line_start_add(struct str text, size_t most, struct buf *out);

#endif
