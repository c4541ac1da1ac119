#ifndef CLAUDE_CODE_CLAUDE_BRANCHES_H
#define CLAUDE_CODE_CLAUDE_BRANCHES_H

/*
 * The branches that the user left in one session. Two texts of the user that follow the same line
 * are two branches, and Claude Code sends the one on the path to the newest message:
 *
 *     a <- b <- c <- d      c and e both follow b; f is the newest, so c and d are a branch
 *          b <- e <- f      that the user left
 *
 * A text without a parent also begins a branch, as after /clear. Not so in a file whose answers
 * have no parents, since there a missing parent says nothing. Other forks are no branches: parallel
 * calls and their results, and lines of progress that the next text follows.
 */

#include "base/hash/map.h"
#include "dialects/claude-code/claude_tree.h"

struct claude_branches {
	struct claude_branch *list;
	uint32_t count, cap;
	struct map first; /* the line that texts follow -> the first of these texts in list */
	bool has_fork;    /* two texts follow the same line */
};

/* Notes the newest message of the tree, a text of the main agent's user: the name that its line
 * gives the session, and the line that the text follows, a string or null. */
void claude_branches_add(struct claude_branches *branches, struct claude_tree *tree,
    struct json_value name, struct json_value parent, struct hash parent_key);

/* Whether the set of left branches changes when the newest node of the main agent is leaf instead
 * of from. On entry is_on_path of the nodes is set for from; on return it is set for leaf. Adds the
 * number of nodes visited to steps. */
bool claude_branches_turn(struct claude_tree *tree, uint32_t from, uint32_t leaf, uint64_t *steps);

/* Sets is_left of the nodes of branches that were left, and clears it of all others. leaf is the
 * newest node of the main agent. With is_end, leaf is a node to which the user went back, and the
 * nodes after it are left. A text without a parent begins a branch only if is_told is set. Takes
 * time linear in the number of nodes. */
void claude_branches_find(const struct claude_branches *branches, struct claude_tree *tree,
    uint32_t leaf, bool is_end, bool is_told);

void claude_branches_free(struct claude_branches *branches);

#endif
