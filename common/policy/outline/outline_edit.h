#ifndef POLICY_OUTLINE_OUTLINE_EDIT_H
#define POLICY_OUTLINE_OUTLINE_EDIT_H

/*
 * The details of an edit: lines that it removed and does not put back, and lines that it added and
 * did not remove.
 */

#include "policy/outline/outline_step.h"

/* Whether the call edits or writes a file. */
bool outline_edit_is(const struct call *call);

/* Adds the lines that the arguments of the call take out and put in: of an edit the lines of the
 * members for old and new text, and of any other call the lines of texts with several lines. */
void outline_edit_add(struct outline_step *step, const struct call *call);

/* The same of a patch, which marks each line as old or new. */
void outline_edit_add_patch(struct outline_step *step, struct str text);

/* Adds lines of the result of an edit, without those that only say that the edit was made. */
void outline_edit_add_receipt(struct outline_step *step, struct str text);

#endif
