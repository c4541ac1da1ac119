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
 *
 * Calls that have no room for a line of their own are told together, whatever is between them, as
 * long as it is not the user who spoke; with more in a line, and in the end all in one, where that
 * takes less room. Commands are known by their first words, and
 * are told no outcome that a pipe or ";" behind them hides:
 *
 *     edit 4 files of src/tui: a.c, b.c, c.c; ran 7 calls: npm run check (2 more times), git add
 */

#include "policy/outline/outline.h"

/* Folds runs, the oldest first, until so many bytes are saved; what was folded before is not. What
 * is chosen is what has room without that. */
void outline_fold(struct outline *outline, size_t wanted);

/* Folds the calls that are not chosen into lines of that room, which are; returns the bytes that
 * these take. */
size_t outline_fold_rest(struct outline *outline, size_t room);

#endif
