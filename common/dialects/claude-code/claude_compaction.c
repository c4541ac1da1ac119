#include "dialects/claude-code/claude_compaction.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/edit.h"
#include "json/string.h"

/* The node of an earlier line of the thread, or CLAUDE_TREE_NONE. */
static uint32_t
find(struct claude_tree *tree, const struct claude_thread *thread, struct json_value uuid)
{
	uint32_t node = claude_tree_find(tree, claude_uuids_key(uuid));

	return node != CLAUDE_TREE_NONE && tree->node[node].thread == thread ? node :
									       CLAUDE_TREE_NONE;
}

/* The first of the uuids that name one message gives it its rank. */
static bool
keep_messages(struct claude_tree *tree, struct claude_thread *thread, struct json_value uuids)
{
	uint32_t rank = 0;

	if (uuids.type != JSON_ARRAY)
		return false;
	for (struct json_walk walk = json_walk_of(uuids); json_walk_next(&walk);) {
		uint32_t node = find(tree, thread, walk.value);

		if (node == CLAUDE_TREE_NONE || tree->node[node].number == thread->number)
			continue;
		tree->node[node].number = thread->number;
		tree->node[node].rank = rank++;
		thread->tail = node;
	}
	return rank > 0;
}

static bool
keep_segment(struct claude_tree *tree, struct claude_thread *thread, struct json_value segment)
{
	uint32_t head = find(tree, thread, json_find(segment, STR("headUuid")));
	uint32_t tail = find(tree, thread, json_find(segment, STR("tailUuid")));

	if (head == CLAUDE_TREE_NONE || tail == CLAUDE_TREE_NONE || head > tail)
		return false;
	thread->first = head;
	thread->last = thread->tail = tail;
	return true;
}

bool
claude_compaction_begin(struct joiner *joiner, const struct joiner_session *session,
    struct claude_tree *tree, struct claude_thread *thread, struct json_value uuid,
    struct json_value metadata)
{
	struct json_value messages = json_find(metadata, STR("preservedMessages"));
	struct json_value segment = json_find(metadata, STR("preservedSegment"));
	struct json_value anchor;
	bool keeps;

	thread->number++;
	thread->first = 1;
	thread->last = 0;
	thread->tail = CLAUDE_TREE_NONE;
	thread->forgotten = tree->count;
	keeps = keep_messages(tree, thread, json_find(messages, STR("uuids")));
	anchor = json_find(keeps ? messages : segment, STR("anchorUuid"));
	if (!keeps)
		keeps = keep_segment(tree, thread, segment);
	if (thread->place != NULL)
		joiner_drop(joiner, thread->place);
	thread->is_placed = false;
	thread->place = keeps ? joiner_mark(joiner, session) : NULL;
	if (keeps && str_eq(json_span(anchor), json_span(uuid))) {
		claude_tree_go_on(tree, claude_uuids_key(uuid), thread->tail);
		thread->tail = CLAUDE_TREE_NONE;
	} else if (keeps) {
		claude_tree_go_on(tree, claude_uuids_key(uuid), CLAUDE_TREE_NONE);
	}
	return keeps;
}

void
claude_compaction_summarize(struct joiner *joiner, struct claude_tree *tree,
    struct claude_thread *thread, struct json_value uuid)
{
	if (thread->place == NULL || thread->tail == CLAUDE_TREE_NONE)
		return;
	joiner_move(joiner, thread->place, NULL);
	thread->is_placed = false;
	claude_tree_go_on(tree, claude_uuids_key(uuid), thread->tail);
}

/* Takes parent_id out of the message: it follows the one before it now. */
static void
follow(struct joiner *joiner, struct joined *joined)
{
	struct json_edit edit;
	struct buf text = BUF_INIT;

	if (!joiner_fetch(joiner, joined) || joined->text.len == 0)
		return;
	buf_pad(&joined->text);
	json_edit_init(&edit, buf_str(&joined->text));
	for (struct json_walk walk =
		 json_walk_of(json_find(json_value_at(joined->text.ptr), STR("metadata")));
	     json_walk_next(&walk);)
		if (json_is(walk.name, STR("parent_id")))
			json_edit_remove(&edit, walk.name, walk.value);
	json_edit_end(&edit, &text);
	buf_free(&joined->text);
	joined->text = text;
	joiner_unread(joined); /* its metadata is another one */
}

/* A record that is kept. found counts from the newest to the oldest. */
struct kept {
	struct joined *joined;
	uint32_t rank, found;
};

static int
compare(const void *left, const void *right)
{
	const struct kept *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->found < b->found) - (a->found > b->found);
}

/* Puts the records before the place, in their order. */
static void
place(struct joiner *joiner, struct claude_thread *thread, struct kept *list, uint32_t count)
{
	qsort(list, count, sizeof *list, compare);
	for (uint32_t i = 0; i < count; i++) {
		if (list[i].joined->draft != NULL)
			joiner_close(joiner, list[i].joined);
		joiner_take_back(joiner, list[i].joined);
		follow(joiner, list[i].joined);
		joiner_move(joiner, list[i].joined, thread->place);
	}
}

/* Places the kept records. With drops, drops the others, and returns the number of their
 * messages. */
static uint64_t
settle(
    struct joiner *joiner, const struct claude_tree *tree, struct claude_thread *thread, bool drops)
{
	struct kept *list = NULL;
	uint32_t count = 0, cap = 0;
	uint64_t dropped = 0;
	struct joined *older;

	if (thread->place == NULL)
		return 0;
	for (struct joined *joined = thread->records.last; joined != NULL; joined = older) {
		const struct claude_tree_node *node;

		older = joined->older;
		/* A record that is no message comes after its node; without a node, before all. */
		if (joined->node + 1 > thread->forgotten)
			continue;
		node = &tree->node[joined->node];
		if (joined->is_given || claude_tree_is_gone(node, joined->node)) {
			if (drops)
				dropped += joiner_drop(joiner, joined);
			continue;
		}
		LIST_ROOM(list, count, cap);
		list[count].joined = joined;
		list[count].rank = node->number == thread->number ? node->rank : 0;
		list[count].found = count;
		count++;
	}
	if (count > 0)
		place(joiner, thread, list, count);
	free(list);
	return dropped;
}

void
claude_compaction_place(
    struct joiner *joiner, const struct claude_tree *tree, struct claude_thread *thread)
{
	if (!thread->is_placed)
		settle(joiner, tree, thread, false);
	thread->is_placed = true;
}

uint64_t
claude_compaction_finish(
    struct joiner *joiner, const struct claude_tree *tree, struct claude_thread *thread)
{
	return settle(joiner, tree, thread, true);
}
