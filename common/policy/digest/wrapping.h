#ifndef POLICY_DIGEST_WRAPPING_H
#define POLICY_DIGEST_WRAPPING_H

/*
 * What a client puts around the user's words, in front of them:
 *
 *     <ide_opened_file>The user opened a.c</ide_opened_file>
 *     # Context from my IDE setup:  ...  ## My request for Codex:
 *     Mend the lamps.
 */

#include "base/str.h"

/* The user's own words: the text behind elements that clients write, and behind the heading of a
 * request. A span of the text; "" where nothing else is there. */
struct str wrapping_inside(struct str text);

#endif
