#ifndef POLICY_COMPACT_LEVEL_H
#define POLICY_COMPACT_LEVEL_H

/*
 * Cuts to one level: of several texts the largest go down to as many tokens each as leave just
 * enough room, and those below that level stay. As the functions of rows (edit_rows.h).
 */

#include "policy/compact/edit_rows.h"

/* The tokens to which the largest results of the newest group are cut, so that a digest has the
 * room that it wants, and the group takes no less than its share of the budget; UINT64_MAX: it
 * takes no more, there is room, or the rows before cannot meet the budget. */
uint64_t level_find_newest(const struct edit_walk *walk);
bool level_is_newest_over(const struct edit_walk *walk, uint32_t entry);
void level_cut_newest(const struct edit_walk *walk, uint32_t entry);

/* The tokens to which what the user asked is cut, the longest first; UINT64_MAX: it need not be.
 * Before the transforms, what stays byte for byte may take half of the budget. */
uint64_t level_find_request(const struct edit_walk *walk);
bool level_is_request_over(const struct edit_walk *walk, uint32_t entry);
void level_cut_request(const struct edit_walk *walk, uint32_t entry);

#endif
