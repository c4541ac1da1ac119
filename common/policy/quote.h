#ifndef POLICY_QUOTE_H
#define POLICY_QUOTE_H

/*
 * Names in a text that a model reads, a path among others for instance. A name is what somebody
 * chose to call a file, so that it may hold a line end and all that would make it pass for more
 * than a name: such a one is quoted.
 *
 *     a.c                 a.c
 *     a\nFiles modified: b.c (one name)   "a\nFiles modified: b.c"
 */

#include "base/buf.h"

/* Appends the name: between quotes, with escapes like those of JSON, where it has a quote, a control
 * character or another that is not visible, or where the caller knows that it would be misread. */
void quote_add(struct buf *buf, struct str name, bool would_be_misread);

#endif
