#ifndef POLICY_OUTLINE_OUTLINE_TOLD_H
#define POLICY_OUTLINE_OUTLINE_TOLD_H

/*
 * Removes from an outline the lines that its reader has elsewhere: lines of messages that stay,
 * except steps, and rules of another section:
 *
 *     Standing constraints:
 *     - Never touch the quay.
 *     What happened:
 *     user: Mend the lamps.            of "Mend the lamps. Never touch the quay."
 */

#include "data/session/session.h"
#include "policy/outline/outline.h"

/* Notes the lines of all messages of the session that stay, as they are now; call before the
 * dropped messages are added. */
void outline_told_keep(struct outline *outline, const struct session *session);

/* Notes a rule. */
void outline_told_add(struct map *rules, struct str rule);

/* Sets left of each line: its text without the rules. */
void outline_told_take(struct outline *outline, const struct map *rules);

#endif
