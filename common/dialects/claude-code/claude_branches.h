#ifndef CLAUDE_CODE_CLAUDE_BRANCHES_H
#define CLAUDE_CODE_CLAUDE_BRANCHES_H

/*
 * The branches that the user left. Two texts of the user that follow the same line are two
 * branches, and Claude Code sends the one on the path to the newest message:
 *
 *     a <- b <- c <- d      c and d are answered anew: b is followed by c and by e, and f is the
 *          b <- e <- f      newest; c and d are left
 *
 * A text without a parent begins a branch, too, as after /clear; but not in a file whose answers
 * have no parents: there no line tells. Forks of another kind are no branches: parallel calls and
 * their results, and lines of progress that the next text follows.
 */

#include "dialects/claude-code/claude_sessions.h"
#include "dialects/claude-code/claude_tree.h"

struct claude_branches {
	struct claude_branch *list;
	uint32_t count, cap;
	struct buf scratch;
};

/* Notes a text of the main agent's user: its session, under the name that the line gives it, the
 * line that it follows, a string or null, with that line's node, and its own node. */
void claude_branches_add(struct claude_branches *branches, const struct claude_session *session,
    struct json_value name, struct json_value parent, uint32_t above, uint32_t node);

/* Marks the messages of branches that were left, of all sessions: is_left of their nodes. Takes
 * time linear in the number of nodes. */
void claude_branches_find(const struct claude_branches *branches,
    const struct claude_sessions *sessions, struct claude_tree *tree);

void claude_branches_free(struct claude_branches *branches);

#endif
