#ifndef CLAUDE_CODE_CLAUDE_TREE_H
#define CLAUDE_CODE_CLAUDE_TREE_H

/*
 * The tree of a stream of Claude Code's lines: which message each message follows. A line names
 * another line as its parent, and lines are not messages: several lines make one message, and many
 * make none. The parent of a message is therefore the nearest message above it that is written:
 *
 *     line    a <- b <- (progress) <- c     b and c' with one message.id     (compaction) <- d
 *     message 1 <- 2 <--------------- 2     c is part of 2                   d is a root
 *
 * For each line a place in claude_uuids.h is held, and for each message a node and its id: any
 * later line may name any line. The tree owns copies of all that it is given but the table of
 * uuids, whose keys are what a uuid is here.
 */

#include "dialects/claude-code/claude_thread.h"

struct claude_tree_node {
	const struct claude_thread *thread;
	size_t id_at; /* in ids */
	uint32_t id_len;
	uint32_t parent; /* or CLAUDE_TREE_NONE */
	uint32_t number; /* of the compaction that kept the message, or 0 */
	uint32_t rank;   /* among what that compaction kept */
	bool is_filled;  /* it says something, and is written */
	bool is_linked;  /* its line names its parent, or is its parent's, too */
	bool is_on_path; /* for claude_branches */
	bool is_fork;    /* a text of the user that follows the same line as another one */
	bool is_left;    /* of a branch that was left: it is not written */
};

struct claude_tree {
	struct claude_uuids *uuids; /* a line -> the node that a child of the line follows */
	uint32_t session;           /* in uuids */
	struct claude_tree_node *node;
	uint32_t count, cap;
	struct buf ids;  /* ids of messages, JSON */
	uint32_t before; /* the message that is written before the next one; or CLAUDE_TREE_NONE */
};

void claude_tree_free(struct claude_tree *tree);

/* Adds a message of the thread, which a line with that parent begins. parent is a string, null, or
 * absent; id is the one by which later messages name this one, or absent. What the metadata of the
 * message shall say as parent_id is appended to text as JSON: nothing, where the parent is the
 * message written before it. Returns the message's node; claude_tree_fill is due. */
uint32_t claude_tree_add(struct claude_tree *tree, const struct claude_thread *thread,
    struct json_value parent, struct hash parent_key, struct json_value id, struct buf *text);

/* Notes that the message, which has just been added, follows the one before it. */
void claude_tree_link(struct claude_tree *tree, uint32_t node);

/* Notes a content of the message. A message without any but blank ones is written by nobody: what
 * follows it follows its parent. */
void claude_tree_fill(struct claude_tree *tree, uint32_t node, struct json_value content,
    const struct json_spans *spans);

/* Notes that a line with that uuid is part of the message. */
void claude_tree_join(struct claude_tree *tree, struct hash uuid, uint32_t node);

/* Notes a line that makes no message: what follows it follows its parent. */
void claude_tree_skip(
    struct claude_tree *tree, struct hash uuid, struct json_value parent, struct hash parent_key);

/* Notes that a message which is not in the tree is written next. */
void claude_tree_pass(struct claude_tree *tree);

/* The node of the message that the line with that uuid is part of or follows, or
 * CLAUDE_TREE_NONE. */
uint32_t claude_tree_find(const struct claude_tree *tree, struct hash uuid);

/* Whether a compaction has taken the message out of the context. */
bool claude_tree_is_gone(const struct claude_tree_node *node, uint32_t at);

/* Notes that what follows the line with that uuid follows the message of that node, which is
 * written before the next one; with CLAUDE_TREE_NONE there is no such message. */
void claude_tree_go_on(struct claude_tree *tree, struct hash uuid, uint32_t node);

#endif
