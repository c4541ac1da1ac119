#ifndef POLICY_OUTLINE_OUTLINE_TOLD_H
#define POLICY_OUTLINE_OUTLINE_TOLD_H

/*
 * What a reader of an outline has beside it is not said again: lines of the messages that stay, but
 * for steps, and rules in another section:
 *
 *     Standing constraints:
 *     - Never touch the quay.
 *     What happened:
 *     user: Mend the lamps.            of "Mend the lamps. Never touch the quay."
 */

#include "data/session/session.h"
#include "policy/outline/outline.h"

/* Notes the lines of all messages of the session that stay, as they are now; call before what went
 * is added. */
void outline_told_keep(struct outline *outline, const struct session *session);

/* Notes a rule. */
void outline_told_add(struct map *rules, struct str rule);

/* Sets what is left of each line beside the rules. */
void outline_told_take(struct outline *outline, const struct map *rules);

#endif
