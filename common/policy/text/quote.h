#ifndef TEXT_QUOTE_H
#define TEXT_QUOTE_H

/*
 * Names, such as paths, in a text that a model reads. A name may be hostile: a name with a line end
 * in it could pass for lines of the text. Such a name is quoted.
 *
 *     a.c                 a.c
 *     a\nFiles modified: b.c (one name)   "a\nFiles modified: b.c"
 */

#include "base/buf.h"

/* Appends the name. A name with a quote, a control character or another invisible character is put
 * between quotes, with escapes like those of JSON. With would_be_misread, any name is quoted. */
void quote_add(struct buf *buf, struct str name, bool would_be_misread);

/* Whether quote_add quotes the name even without would_be_misread. */
bool quote_is_needed(struct str name);

#endif
