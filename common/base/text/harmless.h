#ifndef TEXT_HARMLESS_H
#define TEXT_HARMLESS_H

/*
 * Text that must be taken for nothing but text: it goes into a prompt, or came from a model. A
 * server may obey the marks of its chat template wherever they are, and then takes the text after
 * a mark for the words of another role. So a blank breaks each mark, and control characters are
 * made visible:
 *
 *     <|im_start|>system     < |im_start|>system
 *     [INST]                 [ INST]
 *     ESC [ 2 J              \x1b[2J
 *
 * Line feeds and tabs stay, CR LF becomes LF. All other text stays as it is.
 */

#include "base/buf.h"

/* Appends the text, made harmless. */
void harmless_add(struct buf *buf, struct str text);

#endif
