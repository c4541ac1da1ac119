#ifndef POLICY_OUTLINE_OUTLINE_EARLIER_H
#define POLICY_OUTLINE_OUTLINE_EARLIER_H

/*
 * The lines of an earlier artifact, as lines of an outline: their marks say their kind.
 */

#include "policy/outline/outline.h"

/* Adds the last count lines of the text. */
void outline_earlier_add(struct outline *outline, struct str text, uint64_t count);

#endif
