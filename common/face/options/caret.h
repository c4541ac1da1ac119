#ifndef OPTIONS_CARET_H
#define OPTIONS_CARET_H

/* Shows where a text that the user wrote is wrong. */

#include "base/str.h"

/* Prints the part of the text, of one line, that the byte at is in, and a caret under that byte. A
 * tab of the text is shown as its escape, so that the caret is under the right byte. */
void caret_point(struct str text, size_t at);

#endif
