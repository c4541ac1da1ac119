#ifndef BASE_DISTANCE_H
#define BASE_DISTANCE_H

/*
 * How far apart two words are, in single-character edits: what "did you mean" goes by.
 */

#include "base/str.h"

enum { DISTANCE_MAX = 64 };

/* Inserted, removed or changed bytes; DISTANCE_MAX when a word is longer than that. */
unsigned distance_between(struct str a, struct str b);

#endif
