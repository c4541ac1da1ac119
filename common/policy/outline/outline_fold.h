#ifndef POLICY_OUTLINE_OUTLINE_FOLD_H
#define POLICY_OUTLINE_OUTLINE_FOLD_H

/*
 * Runs of equal steps in an outline: consecutive calls that read, write or edit one file each
 * become one line with their common directory and the newest five names:
 *
 *     read src/gauge/zero.c
 *     read src/gauge/dial.c (lines 40-95)       read 3 files of src/gauge: zero.c, dial.c, lamp.c
 *     read src/gauge/lamp.c
 *
 * An edit with a detail that has room stays a step of its own, and so does a call that failed in
 * the end. A repeated call counts once. A run has at most eight lines, so that a long sequence
 * keeps more names than five. A folded line of an earlier artifact may be part of a run. The key of
 * the line is that of its newest call.
 *
 * Calls without room for a line of their own are folded into one line, whatever is between them
 * except words of the user. More calls per line, and in the end all in one line, are used if that
 * saves room. Commands are named by their first words, without an outcome if a pipe or ";" after
 * them hides it:
 *
 *     edit 4 files of src/tui: a.c, b.c, c.c; ran 7 calls: npm run check (2 more times), git add
 */

#include "policy/outline/outline.h"

/* Folds runs, the oldest first, until wanted bytes are saved; lines that were folded before are
 * left alone. The lines must have been chosen as if nothing was folded. */
void outline_fold(struct outline *outline, size_t wanted);

/* Folds the calls that are not chosen into lines that fit into room, and chooses these lines.
 * Returns the bytes that they take. */
size_t outline_fold_rest(struct outline *outline, size_t room);

#endif
