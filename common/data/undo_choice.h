#ifndef DATA_UNDO_CHOICE_H
#define DATA_UNDO_CHOICE_H

/*
 * Which archived pass is undone next. Inputs that differ may leave the same lines, so several
 * passes may fit a stream:
 *
 *     lines            a  b  c  d  W              W: a budget record
 *     of pass 1        a  b                       which wrote another budget record
 *     of pass 2        a  b  c  d  W
 *     of pass 3        a  b  c  d                 which wrote none
 *
 * The one that wrote the most lines is undone; of several, one of which the budget record is
 * there, and of those the newest. The others that fit as well as that one are marked with it: most
 * of them are older passes of the same log, and are undone later.
 */

#include "data/undo.h"

/* Undoes all passes that fit. */
void undo_choice_run(struct undo *undo);

#endif
