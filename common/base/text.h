#ifndef BASE_TEXT_H
#define BASE_TEXT_H

/*
 * Text that people see: its visible form (base/visible.h), and the columns that it takes.
 */

#include "base/buf.h"

/* Appends the visible form of text. */
void text_add_visible(struct buf *buf, struct str text);

/* How many columns of a terminal visible text takes: wide characters take two, combining ones
 * none. */
size_t text_columns(struct str visible);

/* The longest start of visible text that takes no more columns. */
struct str text_fit(struct str visible, size_t columns);

#endif
