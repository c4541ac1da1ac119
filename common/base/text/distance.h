#ifndef TEXT_DISTANCE_H
#define TEXT_DISTANCE_H

/*
 * How far apart two words are, in edits of one byte; for "did you mean" in diagnostics.
 */

#include "base/str.h"

enum { DISTANCE_MAX = 64 };

/* The least number of bytes to insert, remove or change that makes a into b; DISTANCE_MAX when a
 * word has that many bytes or more. */
unsigned distance_between(struct str a, struct str b);

/* Whether typed may be a slip of the fingers for meant. In a short word every letter makes another
 * meaning. */
bool distance_is_slip(struct str typed, struct str meant);

#endif
