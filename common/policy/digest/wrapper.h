#ifndef POLICY_DIGEST_WRAPPER_H
#define POLICY_DIGEST_WRAPPER_H

/*
 * Text that a client adds to the user's words, before them:
 *
 *     <ide_opened_file>The user opened a.c</ide_opened_file>
 *     # Context from my IDE setup:  ...  ## My request for Codex:
 *     Mend the lamps.
 *
 * or around them, with other words after:
 *
 *     <task>Mend the lamps.</task>
 *     Begin with the quay.
 *     <environment_details>...</environment_details>
 */

#include "base/str.h"

/* Takes the next of the user's own words off the text, a span of it without what clients put around
 * them; false where there are no more. */
bool wrapper_take(struct str *text, struct str *words);

/* The first of the user's own words, or the name of the client's command if the text is nothing
 * else; "" if there is neither. */
struct str wrapper_inside(struct str text);

/* Whether the text asks for something: it is more than what a client wrote, and than a command to
 * the client, such as "/mode". */
bool wrapper_asks(struct str text);

#endif
