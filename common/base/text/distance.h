#ifndef TEXT_DISTANCE_H
#define TEXT_DISTANCE_H

/*
 * The distance of two words, in edits of one byte; for "did you mean" in diagnostics.
 */

#include "base/str.h"

enum { DISTANCE_MAX = 64 };

/* The least number of bytes to insert, remove or change to turn a into b. DISTANCE_MAX when a word
 * has that many bytes or more. */
unsigned distance_between(struct str a, struct str b);

/* Whether typed may be a typing error for meant. The shorter the word, the fewer edits are taken
 * for an error. */
bool distance_is_slip(struct str typed, struct str meant);

#endif
