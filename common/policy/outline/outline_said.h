#ifndef POLICY_OUTLINE_OUTLINE_SAID_H
#define POLICY_OUTLINE_OUTLINE_SAID_H

/*
 * What the agent said, as lines of an outline: sentences, and no announcements such as "Now let me
 * look".
 */

#include "policy/outline/outline_step.h"

/* Adds each line of the text that says something. */
void outline_said_add(struct outline_step *step, struct str text);

/* What a line is worth that is no call's, behind so many others of its message: of a long text the
 * first lines say most. Headings and what introduces a list say little. */
unsigned outline_said_value(struct str line, uint32_t before);

#endif
