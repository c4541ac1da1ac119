#ifndef TEXT_HARMLESS_H
#define TEXT_HARMLESS_H

/*
 * Text from somewhere else that goes into a prompt, or came from a model, as nothing but text. A
 * server may read the marks of its chat template in any text, and take what follows for the words
 * of somebody else. So a blank parts each mark, and control characters are visible:
 *
 *     <|im_start|>system     < |im_start|>system
 *     [INST]                 [ INST]
 *     ESC [ 2 J              \x1b[2J
 *
 * Line feeds and tabs stay, CR LF becomes LF. What is harmless stays as it is.
 */

#include "base/buf.h"

/* Appends the text. */
void harmless_add(struct buf *buf, struct str text);

#endif
