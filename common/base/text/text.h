#ifndef TEXT_TEXT_H
#define TEXT_TEXT_H

/*
 * Text that people see: its visible form (base/text/visible.h), and its width in columns.
 */

#include "base/buf.h"

/* Appends the visible form of text. */
void text_add_visible(struct buf *buf, struct str text);

/* The width of visible text in columns of a terminal: two for a wide character, none for a
 * combining one. */
size_t text_columns(struct str visible);

/* The longest start of visible text that is at most that many columns wide. */
struct str text_fit(struct str visible, size_t columns);

/* Makes one space of each run of blanks between words, and removes the blanks at both ends. Works
 * in place; returns the span that is left. */
struct str text_squeeze(char *text, size_t len);

/* Whether the text has a letter, of any script. */
bool text_has_letter(struct str text);

#endif
