#include "dialects/claude-code/claude_branches.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"

/* A text that may begin a branch. */
struct claude_branch {
	const struct claude_session *session;
	struct hash key; /* of the line that it follows; equal within one session alone */
	uint32_t node;
	bool is_root;
};

void
claude_branches_add(struct claude_branches *branches, const struct claude_session *session,
    struct json_value name, struct json_value parent, uint32_t above, uint32_t node)
{
	struct hash key = hash_number(session->index, hash_seed(HASH_MESSAGE_ID));

	if (parent.type != JSON_STRING && parent.type != JSON_NULL)
		return;
	if (name.type == JSON_STRING)
		key = hash_bytes(json_text(name, &branches->scratch), key);
	key = hash_number(above, key);
	if (parent.type == JSON_STRING)
		key = hash_bytes(json_text(parent, &branches->scratch), key);
	LIST_ROOM(branches->list, branches->count, branches->cap);
	branches->list[branches->count++] =
	    (struct claude_branch){session, key, node, parent.type == JSON_NULL};
}

/* The path ends where a line does not say what it follows: then nothing is known to be left. */
static void
mark_path(struct claude_tree *tree, uint32_t leaf)
{
	uint32_t at = leaf;

	while (at != CLAUDE_TREE_NONE && !tree->node[at].is_on_path) {
		tree->node[at].is_on_path = true;
		at = tree->node[at].is_linked ? tree->node[at].parent : CLAUDE_TREE_NONE;
	}
}

/* Whether the line tells where it belongs. */
static bool
tells(const struct claude_branch *branch)
{
	return !branch->is_root || (branch->session->is_linked && !branch->session->is_loose);
}

/* Marks the texts beside which one on the path stands. */
static void
mark_left(const struct claude_branches *branches, struct claude_tree *tree)
{
	struct map taken = MAP_INIT;

	for (uint32_t i = 0; i < branches->count; i++)
		if (tree->node[branches->list[i].node].is_on_path && tells(&branches->list[i]))
			map_set(&taken, branches->list[i].key, i);
	for (uint32_t i = 0; i < branches->count; i++)
		if (!tree->node[branches->list[i].node].is_on_path &&
		    map_get(&taken, branches->list[i].key) != MAP_NONE)
			tree->node[branches->list[i].node].is_left = true;
	map_free(&taken);
}

void
claude_branches_find(const struct claude_branches *branches, const struct claude_sessions *sessions,
    struct claude_tree *tree)
{
	for (uint32_t i = 0; i < sessions->count; i++)
		mark_path(tree, sessions->list[i]->leaf);
	mark_left(branches, tree);
	for (uint32_t at = 0; at < tree->count; at++) {
		struct claude_tree_node *node = &tree->node[at];

		if (node->is_linked && node->parent < at)
			node->is_left |= tree->node[node->parent].is_left;
	}
}

void
claude_branches_free(struct claude_branches *branches)
{
	free(branches->list);
	buf_free(&branches->scratch);
}
