#include "dialects/claude-code/claude_tree.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"

bool
claude_tree_is_gone(const struct claude_tree_node *node, uint32_t at)
{
	const struct claude_thread *thread = node->thread;

	return at < thread->forgotten && (at < thread->first || at > thread->last) &&
	    (thread->number == 0 || node->number != thread->number);
}

/* The message, or the nearest one above it, that is written and has an id. Above a message that was
 * taken out there is none. */
static uint32_t
find_written(const struct claude_tree *tree, uint32_t at)
{
	for (; at != CLAUDE_TREE_NONE; at = tree->node[at].parent) {
		const struct claude_tree_node *node = &tree->node[at];

		if (claude_tree_is_gone(node, at))
			return CLAUDE_TREE_NONE;
		if (node->is_filled && node->id_len > 0)
			break;
	}
	return at;
}

/* Finds the node that a child of the line follows. Returns whether the line is known; null is
 * known. */
static bool
find_parent(
    const struct claude_tree *tree, struct json_value parent, struct hash key, uint32_t *found)
{
	const struct claude_uuid *uuid;

	*found = CLAUDE_TREE_NONE;
	if (parent.type != JSON_STRING)
		return parent.type == JSON_NULL;
	uuid = claude_uuids_find(tree->uuids, key, tree->session);
	if (uuid == NULL || !uuid->is_joined)
		return false;
	*found = find_written(tree, uuid->node);
	return true;
}

/* An unknown parent may come later, or be in another file: then its uuid is the best id of the
 * message before. */
static void
write_parent(const struct claude_tree *tree, struct json_value parent, uint32_t found,
    bool is_known, struct buf *text)
{
	if (!is_known && parent.type == JSON_STRING)
		buf_add_str(text, json_span(parent));
	else if (is_known && found == CLAUDE_TREE_NONE)
		buf_add_str(text, STR("null"));
	else if (is_known && found != tree->before)
		buf_add(text, tree->ids.ptr + tree->node[found].id_at, tree->node[found].id_len);
}

/* What follows a message of a branch that was left is of that branch. */
static void
inherit(const struct claude_tree *tree, struct claude_tree_node *node)
{
	node->is_left =
	    node->is_linked && node->parent != CLAUDE_TREE_NONE && tree->node[node->parent].is_left;
}

uint32_t
claude_tree_add(struct claude_tree *tree, const struct claude_thread *thread,
    struct json_value parent, struct hash parent_key, struct json_value id, struct buf *text)
{
	struct str name = id.type == JSON_STRING ? json_span(id) : STR("");
	uint32_t found;
	bool is_known = find_parent(tree, parent, parent_key, &found);

	write_parent(tree, parent, found, is_known, text);
	LIST_ROOM(tree->node, tree->count, tree->cap);
	tree->node[tree->count] = (struct claude_tree_node){.thread = thread,
	    .id_at = tree->ids.len,
	    .id_len = (uint32_t)name.len,
	    .parent = is_known ? found : tree->before,
	    .is_linked = is_known && found != CLAUDE_TREE_NONE};
	inherit(tree, &tree->node[tree->count]);
	buf_add_str(&tree->ids, name);
	tree->before = tree->count;
	return tree->count++;
}

void
claude_tree_link(struct claude_tree *tree, uint32_t node)
{
	tree->node[node].is_linked = true;
	inherit(tree, &tree->node[node]);
}

static bool
is_blank(struct json_value content)
{
	if (content.type == JSON_STRING)
		return json_is_blank(content);
	if (content.type != JSON_ARRAY)
		return false;
	for (struct json_walk walk = json_walk_of(content); json_walk_next(&walk);)
		if (!json_has_type(walk.value, STR("text")) ||
		    !json_is_blank(json_find(walk.value, STR("text"))))
			return false;
	return true;
}

void
claude_tree_fill(struct claude_tree *tree, uint32_t node, struct json_value content)
{
	bool is_late = tree->before != node;

	if (tree->node[node].is_filled)
		return;
	tree->node[node].is_filled = !is_blank(content);
	if (tree->node[node].is_filled == is_late)
		tree->before = CLAUDE_TREE_NONE;
}

void
claude_tree_join(struct claude_tree *tree, struct hash uuid, uint32_t node)
{
	struct claude_uuid *known;

	if (claude_uuids_is_none(uuid))
		return;
	known = claude_uuids_add(tree->uuids, uuid, tree->session);
	known->node = node;
	known->is_joined = true;
}

void
claude_tree_skip(
    struct claude_tree *tree, struct hash uuid, struct json_value parent, struct hash parent_key)
{
	uint32_t found;

	if (find_parent(tree, parent, parent_key, &found))
		claude_tree_join(tree, uuid, found);
}

void
claude_tree_pass(struct claude_tree *tree)
{
	tree->before = CLAUDE_TREE_NONE;
}

uint32_t
claude_tree_find(const struct claude_tree *tree, struct hash uuid)
{
	const struct claude_uuid *known = claude_uuids_find(tree->uuids, uuid, tree->session);

	return known != NULL ? known->node : CLAUDE_TREE_NONE;
}

void
claude_tree_go_on(struct claude_tree *tree, struct hash uuid, uint32_t node)
{
	claude_tree_join(tree, uuid, node);
	tree->before = node;
}

void
claude_tree_free(struct claude_tree *tree)
{
	free(tree->node);
	buf_free(&tree->ids);
}
