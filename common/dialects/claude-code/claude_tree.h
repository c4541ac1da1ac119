#ifndef CLAUDE_CODE_CLAUDE_TREE_H
#define CLAUDE_CODE_CLAUDE_TREE_H

/*
 * The tree of messages in a stream of Claude Code's lines. A line names another line as its parent,
 * but lines are not messages: several lines make one message, and many lines make none. The parent
 * of a message is therefore the nearest message above it that is written:
 *
 *     line    a <- b <- (progress) <- c     b and c' with one message.id     (compaction) <- d
 *     message 1 <- 2 <--------------- 2     c is part of 2                   d is a root
 *
 * Each line takes a place in the table of uuids, and each message a node and its id, since any
 * later line may name any line. A uuid is given by its key in that table (claude_uuids.h). The tree
 * owns copies of all that it is given, except the table.
 */

#include "dialects/claude-code/claude_thread.h"

struct claude_tree_node {
	const struct claude_thread *thread;
	size_t id_at; /* in ids */
	uint32_t id_len;
	uint32_t parent; /* or CLAUDE_TREE_NONE */
	uint32_t number; /* the number of the compaction that kept the message, or 0 */
	uint32_t rank;   /* its place among the messages that this compaction kept */
	bool is_filled;  /* the message has content, and is written */
	bool is_linked;  /* its line names its parent, or is also a line of its parent */
	bool is_on_path; /* on the path to the newest message (claude_branches.h) */
	bool is_fork;    /* a text of the user, and another text follows the same line */
	bool is_left;    /* on a branch that was left: not written */
};

struct claude_tree {
	struct claude_uuids *uuids; /* line -> the node that a child of the line follows */
	uint32_t session;           /* in uuids */
	struct claude_tree_node *node;
	uint32_t count, cap;
	struct buf ids;  /* ids of messages, JSON */
	uint32_t before; /* the message that is written before the next one; or CLAUDE_TREE_NONE */
};

void claude_tree_free(struct claude_tree *tree);

/* Adds a message of the thread, which a line with that parent begins. parent is a string, null, or
 * absent; id is the id by which later messages name this one, or absent. Appends the message's
 * metadata.parent_id to text, as JSON, or nothing if the parent is the message written before it.
 * Returns the message's node; the caller then calls claude_tree_fill for each content. */
uint32_t claude_tree_add(struct claude_tree *tree, const struct claude_thread *thread,
    struct json_value parent, struct hash parent_key, struct json_value id, struct buf *text);

/* Notes that the message, which has just been added, follows the one before it. */
void claude_tree_link(struct claude_tree *tree, uint32_t node);

/* Notes a content of the message. A message with blank contents only is not written: messages that
 * follow it get its parent. */
void claude_tree_fill(struct claude_tree *tree, uint32_t node, struct json_value content);

/* Notes that a line with that uuid is part of the message. */
void claude_tree_join(struct claude_tree *tree, struct hash uuid, uint32_t node);

/* Notes a line that makes no message: lines that follow it get its parent. */
void claude_tree_skip(
    struct claude_tree *tree, struct hash uuid, struct json_value parent, struct hash parent_key);

/* Notes that the next message written is not in the tree. */
void claude_tree_pass(struct claude_tree *tree);

/* The node of the message that the line with that uuid is part of or follows, or
 * CLAUDE_TREE_NONE. */
uint32_t claude_tree_find(const struct claude_tree *tree, struct hash uuid);

/* Whether a compaction has taken the message out of the context. */
bool claude_tree_is_gone(const struct claude_tree_node *node, uint32_t at);

/* Notes that children of the line with that uuid follow the message of that node, and that this
 * message is written before the next one. CLAUDE_TREE_NONE: there is no such message. */
void claude_tree_go_on(struct claude_tree *tree, struct hash uuid, uint32_t node);

#endif
