#ifndef CLAUDE_CODE_CLAUDE_BRANCHES_H
#define CLAUDE_CODE_CLAUDE_BRANCHES_H

/*
 * The branches that the user left in one session. Two texts of the user that follow the same line
 * are two branches, and Claude Code sends the one on the path to the newest message:
 *
 *     a <- b <- c <- d      c and d are answered anew: b is followed by c and by e, and f is the
 *          b <- e <- f      newest; c and d are left
 *
 * A text without a parent begins a branch, too, as after /clear; but not in a file whose answers
 * have no parents: there no line tells. Forks of another kind are no branches: parallel calls and
 * their results, and lines of progress that the next text follows.
 */

#include "dialects/claude-code/claude_tree.h"

struct claude_branches {
	struct claude_branch *list;
	uint32_t count, cap;
	struct map first; /* what texts follow -> the first of them in list */
	bool has_fork;    /* two texts follow the same line */
};

/* Notes the newest message of the tree, a text of the main agent's user: the name that its line
 * gives the session, and the line that the text follows, a string or null. */
void claude_branches_add(struct claude_branches *branches, struct claude_tree *tree,
    struct json_value name, struct json_value parent, struct hash parent_key);

/* Whether other branches are left when the newest node of the main agent is leaf instead of from.
 * is_on_path of the nodes is as it is for from, and becomes as it is for leaf. Adds how many nodes
 * were looked at to steps. */
bool claude_branches_turn(struct claude_tree *tree, uint32_t from, uint32_t leaf, uint64_t *steps);

/* Marks the messages of branches that were left: is_left of their nodes, and no others. leaf is the
 * newest node of the main agent; is_end: or where the user went, so that what follows it is left. A
 * text without a parent begins no branch unless is_told is set. Takes time linear in the number of
 * nodes. */
void claude_branches_find(const struct claude_branches *branches, struct claude_tree *tree,
    uint32_t leaf, bool is_end, bool is_told);

void claude_branches_free(struct claude_branches *branches);

#endif
