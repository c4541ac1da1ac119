#ifndef POLICY_COMPACT_LEVEL_H
#define POLICY_COMPACT_LEVEL_H

/*
 * Cuts to one level: texts above the level are cut to that many tokens, and shorter texts stay. The
 * level is the highest one that leaves enough room. These are functions of edit rows (edit_rows.h).
 */

#include "policy/compact/edit_rows.h"

/* The tokens to which the largest results of the newest group are cut so that a digest has the room
 * that it wants; the group is not cut below an eighth of the budget. UINT64_MAX, for no cut: the
 * group takes no more than an eighth, there is room, or the session is over the budget even without
 * a digest. */
uint64_t level_find_newest(const struct edit_walk *walk);
bool level_is_newest_over(const struct edit_walk *walk, uint32_t entry);
void level_cut_newest(const struct edit_walk *walk, uint32_t entry);

/* The tokens to which the user's requests are cut, the longest first; UINT64_MAX: no cut is needed.
 * Before the transforms, entries that stay byte for byte may take half of the budget. */
uint64_t level_find_request(const struct edit_walk *walk);
bool level_is_request_over(const struct edit_walk *walk, uint32_t entry);
void level_cut_request(const struct edit_walk *walk, uint32_t entry);

#endif
