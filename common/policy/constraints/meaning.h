#ifndef POLICY_CONSTRAINTS_MEANING_H
#define POLICY_CONSTRAINTS_MEANING_H

/*
 * What the wordings of a sentence mean in their places: in quotes, in what somebody else says, and
 * in what the author tells of himself, most of them mean nothing.
 */

#include "base/str.h"

/* What the sentence, without its opening, says by its wordings: bits of wordings.h. */
unsigned meaning_of(struct str sentence);

#endif
