#ifndef POLICY_DIGEST_WRAPPING_H
#define POLICY_DIGEST_WRAPPING_H

/*
 * What a client puts around the user's words, in front of them:
 *
 *     <ide_opened_file>The user opened a.c</ide_opened_file>
 *     # Context from my IDE setup:  ...  ## My request for Codex:
 *     Mend the lamps.
 *
 * or around them:
 *
 *     <reminderInstructions>Use tools.</reminderInstructions>
 *     <userRequest>Mend the lamps.</userRequest>
 */

#include "base/str.h"

/* The user's own words: the text behind elements that clients write, inside that of a request, and
 * behind the heading of one. A span of the text; "" where nothing else is there. */
struct str wrapping_inside(struct str text);

/* Whether the words are a client's command without others, such as "/mode". */
bool wrapping_is_command(struct str words);

#endif
