#include "dialects/claude-code/claude_branches.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"

/* A text that may begin a branch. */
struct claude_branch {
	struct hash key; /* of the line that it follows, and of the name of the session */
	uint32_t node;
	bool is_root;
};

void
claude_branches_add(struct claude_branches *branches, struct claude_tree *tree,
    struct json_value name, struct json_value parent, struct hash parent_key)
{
	struct hash key = hash_seed(HASH_MESSAGE_ID);
	uint32_t node = tree->count - 1;
	uint64_t first;

	if (parent.type != JSON_STRING && parent.type != JSON_NULL)
		return;
	if (name.type == JSON_STRING)
		key = json_hash(name, key);
	key = hash_number(claude_tree_find(tree, parent_key), key);
	if (parent.type == JSON_STRING)
		key = json_hash(parent, key);
	first = map_get(&branches->first, key);
	if (first == MAP_NONE) {
		map_set(&branches->first, key, branches->count);
	} else {
		branches->has_fork = true;
		tree->node[branches->list[first].node].is_fork = true;
		tree->node[node].is_fork = true;
	}
	LIST_ROOM(branches->list, branches->count, branches->cap);
	branches->list[branches->count++] =
	    (struct claude_branch){key, node, parent.type == JSON_NULL};
}

/* The path ends at a line without a known parent: no branch before it is known to be left. */
static uint32_t
above(const struct claude_tree *tree, uint32_t at)
{
	return tree->node[at].is_linked ? tree->node[at].parent : CLAUDE_TREE_NONE;
}

bool
claude_branches_turn(struct claude_tree *tree, uint32_t from, uint32_t leaf, uint64_t *steps)
{
	uint32_t at = leaf;
	bool turns = false;

	for (; at != CLAUDE_TREE_NONE && !tree->node[at].is_on_path; at = above(tree, at)) {
		tree->node[at].is_on_path = true;
		turns |= tree->node[at].is_fork;
		++*steps;
	}
	for (; from != CLAUDE_TREE_NONE && from != at; from = above(tree, from)) {
		tree->node[from].is_on_path = false;
		turns |= tree->node[from].is_fork;
		++*steps;
	}
	return turns;
}

/* Marks the texts that follow the same line as a text on the path. */
static void
mark_left(const struct claude_branches *branches, struct claude_tree *tree, bool is_told)
{
	struct map taken = MAP_INIT;

	for (uint32_t i = 0; i < branches->count; i++)
		if (tree->node[branches->list[i].node].is_on_path &&
		    (is_told || !branches->list[i].is_root))
			map_set(&taken, branches->list[i].key, i);
	for (uint32_t i = 0; i < branches->count; i++)
		if (!tree->node[branches->list[i].node].is_on_path &&
		    map_get(&taken, branches->list[i].key) != MAP_NONE)
			tree->node[branches->list[i].node].is_left = true;
	map_free(&taken);
}

void
claude_branches_find(const struct claude_branches *branches, struct claude_tree *tree,
    uint32_t leaf, bool is_end, bool is_told)
{
	uint64_t steps = 0;

	for (uint32_t at = 0; at < tree->count; at++)
		tree->node[at].is_on_path = tree->node[at].is_left = false;
	claude_branches_turn(tree, CLAUDE_TREE_NONE, leaf, &steps);
	mark_left(branches, tree, is_told);
	for (uint32_t at = 0; at < tree->count; at++) {
		struct claude_tree_node *node = &tree->node[at];

		if (node->is_linked && node->parent < at)
			node->is_left |=
			    tree->node[node->parent].is_left || (is_end && node->parent == leaf);
	}
}

void
claude_branches_free(struct claude_branches *branches)
{
	free(branches->list);
	map_free(&branches->first);
}
