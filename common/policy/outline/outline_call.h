#ifndef POLICY_OUTLINE_OUTLINE_CALL_H
#define POLICY_OUTLINE_OUTLINE_CALL_H

/*
 * A call as a step of an outline: the tool or the command in a line, with its target; the lines
 * that an edit took out and put in; and the lines of its result.
 */

#include "policy/outline/outline_step.h"

/* Adds the call, which must be learned. If the user refused the call, their words are not added:
 * they are a constraint. */
void outline_call_add(struct outline_step *step, const struct call *call);

/* Adds the lines that were cut from the result of a call that stays. */
void outline_call_add_cut(struct outline_step *step, const struct call *call);

/* Adds a call that the agent writes into its text: the words before it, the call, its lines. */
void outline_call_add_text(struct outline_step *step, struct str text);

/* Sets out to the command, or the tool and its target, for a call that is a fact, which has no
 * arguments. */
void outline_call_write_head(const struct call *call, struct buf *out);

/* Whether the command only reads things that can be read again. */
bool outline_call_reads(struct str command);

#endif
