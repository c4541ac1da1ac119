#include "dialects/gc/gc_chain.h"

#include <stdlib.h>

#include "base/list.h"
#include "dialects/load/load_chain.h"

static bool
goes(const struct gc *gc, const struct load_file *file, uint32_t at)
{
	return at != LOAD_NONE && (*gc_chain_verdict(gc, &file->node[at]) & GC_CAUSE) != GC_STAYS;
}

/* Whether it goes if it is not loaded, and no cause was found by now. */
static bool
may_go(uint8_t verdict)
{
	return (verdict & (GC_MAY | GC_CAUSE)) == GC_MAY;
}

/* Marks the records that the chain does not reach. */
static void
mark_left(struct gc *gc, struct load_file *file)
{
	const unsigned asked = LOAD_IN_CHAIN | LOAD_IS_REACHED | LOAD_IS_LOST;
	uint32_t root = 0;

	for (uint32_t i = 0; i < file->count; i++)
		if ((~file->node[i].flags & (LOAD_IS_ROOT | LOAD_IS_REACHED)) == 0)
			root = i;
	for (uint32_t i = 0; i < file->count; i++) {
		uint8_t *verdict = gc_chain_verdict(gc, &file->node[i]);

		if (may_go(*verdict) && (file->node[i].flags & asked) == LOAD_IN_CHAIN)
			*verdict |= i < root ? GC_COMPACTED : GC_BRANCH;
	}
}

/* Whether a record for which the form's condition holds is one of those on the way. */
static bool
has_enough(const struct gc *gc, const uint8_t *is_kept)
{
	for (size_t at = 0; at < gc->suffices.len; at += sizeof(uint32_t)) {
		uint32_t node;

		memcpy(&node, gc->suffices.ptr + at, sizeof node);
		if (is_kept[node])
			return true;
	}
	return false;
}

/* Marks the records before the first one that the last compaction on the way keeps. */
static void
mark_compacted(struct gc *gc, struct load_file *file)
{
	const struct gc_name *last = NULL;
	uint8_t *is_kept = mem_alloc(file->count + 1, 1);
	uint32_t first, at;

	memset(is_kept, 0, file->count + 1);
	for (uint32_t i = 0; i < gc->summaries; i++)
		if ((file->node[gc->summary[i].node].flags & LOAD_IS_REACHED) != 0)
			last = &gc->summary[i];
	first = last != NULL ? load_file_named(file, last->id) : LOAD_NONE;
	at = file->leaf;
	for (uint32_t n = first != LOAD_NONE ? file->count : 0;
	     n > 0 && at != LOAD_NONE && at != first; n--) {
		is_kept[at] = 1;
		at = load_file_named(file, file->node[at].parent);
	}
	if (at == LOAD_NONE || at != first || first > last->node || !is_kept[last->node])
		first = 0;
	else
		is_kept[first] = 1;
	for (uint32_t i = 0; has_enough(gc, is_kept) && i < first; i++) {
		uint8_t *verdict = gc_chain_verdict(gc, &file->node[i]);

		if (may_go(*verdict) && !is_kept[i] && (file->node[i].flags & LOAD_IS_REACHED) != 0)
			*verdict |= GC_COMPACTED;
	}
	free(is_kept);
}

/* If the parent of the node goes, links the node to the parent of that parent. via[i] is the node
 * whose parent the followers of node i get. Returns false if a link cannot be made. */
static bool
link_node(struct gc *gc, struct load_file *file, uint32_t at, uint32_t *via)
{
	struct load_file_node *node = &file->node[at];
	uint32_t above = load_file_named(file, node->names);
	const struct load_file_node *from;

	via[at] = at;
	if (!goes(gc, file, above))
		return true;
	if (above >= at)
		return false;
	via[at] = via[above];
	if (goes(gc, file, at))
		return true;
	from = &file->node[via[above]];
	if (node->is_bridged && from->names != node->parent)
		return false;
	LIST_ADD(gc->link, gc->links, gc->link_cap,
	    (struct gc_link){node->line, from->line, at, node->parent, node->parent_type});
	node->parent = from->names;
	node->parent_type = from->names != 0 ? JSON_STRING : JSON_NULL;
	return true;
}

static bool
link_all(struct gc *gc, struct load_file *file)
{
	uint32_t *via = mem_alloc(file->count + 1, sizeof *via);
	bool is_linked = true;

	for (uint32_t i = 0; is_linked && i < file->count; i++)
		is_linked = link_node(gc, file, i, via);
	free(via);
	return is_linked;
}

static void
unlink_all(struct gc *gc, struct load_file *file)
{
	while (gc->links > 0) {
		const struct gc_link *link = &gc->link[--gc->links];

		file->node[link->node].parent = link->old;
		file->node[link->node].parent_type = link->old_type;
	}
}

/* Whether the agent would read the same notes, which the walk does not see. The last root makes the
 * agent forget the kept records and the record at which the user was, and any record after the note
 * makes it forget that the user went there. */
static bool
notes_alike(const struct gc *gc, const struct load_file *file)
{
	uint32_t root = 0, root_left = 0, last = 0, last_left = 0;

	for (uint32_t i = 0; i < file->count; i++) {
		bool is_root = (file->node[i].flags & LOAD_IS_ROOT) != 0;

		if ((file->node[i].flags & LOAD_IN_CHAIN) == 0)
			continue;
		last = i;
		root = is_root ? i : root;
		if (goes(gc, file, i))
			continue;
		last_left = i;
		root_left = is_root ? i : root_left;
	}
	return root == root_left &&
	    (!file->checkpoint.is_there || last < file->checkpoint.node ||
		last_left > file->checkpoint.node);
}

/* Whether the chain, walked without the records that go, begins and reaches the same as before. */
static bool
loads_alike(const struct gc *gc, struct load_file *file)
{
	uint8_t *was = mem_alloc(file->count + 1, 1);
	uint32_t leaf = file->leaf;
	bool is_lost = file->is_lost, is_alike;

	for (uint32_t i = 0; i < file->count; i++) {
		was[i] = file->node[i].flags;
		file->node[i].flags &= ~LOAD_IS_REACHED;
		if (goes(gc, file, i))
			file->node[i].flags &= ~(LOAD_IN_CHAIN | LOAD_IS_BRIDGE);
	}
	file->faults = 0;
	file->checkpoint.is_begun = false;
	load_chain_walk(file);
	is_alike = file->leaf == leaf && file->is_lost == is_lost;
	for (uint32_t i = 0; i < file->count; i++) {
		if (!goes(gc, file, i))
			is_alike &= file->node[i].flags == was[i];
		file->node[i].flags = was[i];
	}
	file->leaf = leaf;
	file->faults = 0;
	free(was);
	return is_alike;
}

/* Lets all nodes with one of the flags stay. */
static void
spare(struct gc *gc, struct load_file *file, unsigned flags)
{
	unlink_all(gc, file);
	for (uint32_t i = 0; i < file->count; i++)
		if ((file->node[i].flags & flags) != 0)
			*gc_chain_verdict(gc, &file->node[i]) = GC_STAYS;
}

/* Notes whose parents others get. */
static void
note_vias(struct gc *gc)
{
	for (uint32_t i = 0; i < gc->links; i++)
		gc->verdict.ptr[gc->link[i].via] |= GC_IS_VIA;
}

void
gc_chain_sweep(struct gc *gc, struct load_file *file)
{
	bool is_done;

	if (gc->missed == 0 && !file->is_lost && !file->is_flat) {
		if (gc->form->summary != NULL)
			mark_compacted(gc, file);
		mark_left(gc, file);
	}
	for (uint32_t i = 0; i < file->count; i++)
		*gc_chain_verdict(gc, &file->node[i]) &= GC_CAUSE;
	is_done = link_all(gc, file) && notes_alike(gc, file) && loads_alike(gc, file);
	if (!is_done) {
		spare(gc, file, LOAD_IN_CHAIN);
		is_done = link_all(gc, file) && loads_alike(gc, file);
	}
	if (!is_done)
		spare(gc, file, LOAD_IS_BRIDGE);
	note_vias(gc);
}
