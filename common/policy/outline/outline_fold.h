#ifndef POLICY_OUTLINE_OUTLINE_FOLD_H
#define POLICY_OUTLINE_OUTLINE_FOLD_H

/*
 * Runs of equal steps in an outline: calls that read, write or edit one file each, one behind the
 * other, become one line with the directory of all and the newest five:
 *
 *     read src/gauge/zero.c
 *     read src/gauge/dial.c (lines 40-95)       read 3 files of src/gauge: zero.c, dial.c, lamp.c
 *     read src/gauge/lamp.c
 *
 * An edit of which a line has room is a step of its own. So is what failed at last, and a call that
 * was made again is folded as one. A run has at most eight lines, so that a long one keeps more
 * names than five. Such a line of an earlier artifact is part of a run, too. The key of the line is
 * that of its newest call.
 */

#include "policy/outline/outline.h"

/* Folds runs, the oldest first, until so many bytes are saved; what was folded before is not. What
 * is chosen is what has room without that. */
void outline_fold(struct outline *outline, size_t wanted);

#endif
