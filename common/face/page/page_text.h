#ifndef PAGE_PAGE_TEXT_H
#define PAGE_PAGE_TEXT_H

/*
 * Text of records in HTML: in its visible form, but for line feeds and tabs, and escaped once, so
 * that it is text between tags, whatever it is. No attribute has text of records.
 */

#include "base/buf.h"

/* Appends the text. */
void page_text_add(struct buf *out, struct str text);

/* Appends the text as one line: its line feeds and tabs are blanks. */
void page_text_add_line(struct buf *out, struct str text);

/* Appends the start of the text, not escaped, as the label of a fold: at most 60 columns, and "…"
 * if the text is longer. */
void page_text_fit(struct buf *label, struct str text);

/* Appends lines as a screen with colours has them (face/terminal/screen.h), in their visible form:
 * red text was taken out, green text put in, faint text is a remark, and blue text is a name. */
void page_text_add_painted(struct buf *out, struct str painted);

#endif
