#ifndef POLICY_OUTLINE_OUTLINE_SAID_H
#define POLICY_OUTLINE_OUTLINE_SAID_H

/*
 * The agent's sentences, as lines of an outline, without announcements such as "Now let me look".
 */

#include "policy/outline/outline_step.h"

/* Adds each line of the text that says something. */
void outline_said_add(struct outline_step *step, struct str text);

/* The value of a line that is not a call's; before is the number of lines of the same message that
 * precede it. The first lines of a long text are worth most. Headings and introductions of lists
 * are worth little. */
unsigned outline_said_value(struct str line, uint32_t before);

#endif
