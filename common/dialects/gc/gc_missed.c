#include "dialects/gc/gc_missed.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dialects/gc/gc_chain.h"

/* What is known of a node. */
enum { ON_WAY = 1, LEFT = 2 };

static bool
has(const struct gc *gc, const struct load_file *file, uint32_t at, uint8_t bits)
{
	return (*gc_chain_verdict(gc, &file->node[at]) & bits) == bits;
}

/* Counts the node, which is neither taken out nor left. */
static void
count(struct gc *gc, const struct load_file *file, uint32_t at)
{
	if (!has(gc, file, at, GC_SAYS) || (file->node[at].flags & LOAD_IS_ASIDE) != 0)
		return;
	gc->messages++;
	gc->missed += (file->node[at].flags & LOAD_IS_REACHED) == 0;
}

static int
compare_nodes(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	return one < other ? -1 : one > other;
}

/* The node that the one at hand follows. Takes logarithmic time. */
static uint32_t
above(const struct gc *gc, const struct load_file *file, uint32_t at)
{
	const struct gc_name *resumed = NULL;

	if (file->node[at].names == 0 && gc->resumes > 0)
		resumed = bsearch(&at, gc->resumed, gc->resumes, sizeof *resumed, compare_nodes);
	return load_file_named(file, resumed != NULL ? resumed->id : file->node[at].names);
}

/* The last node of the main agent that says something. */
static uint32_t
find_leaf(const struct gc *gc, const struct load_file *file)
{
	uint32_t at = file->count;

	while (at > 0)
		if (has(gc, file, --at, GC_SAYS) && (file->node[at].flags & LOAD_IS_ASIDE) == 0)
			return at;
	return LOAD_NONE;
}

/* The node at which the user was at the end: the last one; or the one to which the user went, if
 * the last one does not follow that. */
static uint32_t
find_end(const struct gc *gc, const struct load_file *file)
{
	uint32_t leaf = find_leaf(gc, file), at = leaf;
	uint32_t stood = load_file_named(file, file->checkpoint.id);

	for (uint32_t n = file->count; n > 0 && at != LOAD_NONE && at != stood; n--)
		at = above(gc, file, at);
	return stood != LOAD_NONE && (at != stood || file->checkpoint.is_explicit) ? stood : leaf;
}

/* Whether a text without a parent begins a branch: records have parents, and no answer lacks
 * one. */
static bool
are_linked(const struct gc *gc, const struct load_file *file)
{
	bool is_linked = false;

	for (uint32_t i = 0; i < file->count; i++) {
		const struct load_file_node *node = &file->node[i];

		if (!has(gc, file, i, GC_SAYS) || (node->flags & LOAD_IS_ASIDE) != 0)
			continue;
		if (node->names == 0 && node->group != 0 && (node->flags & LOAD_IS_RESULT) == 0)
			return false;
		is_linked |= load_file_named(file, node->names) != LOAD_NONE;
	}
	return is_linked;
}

/* Marks the texts that follow the same node as one on the way. */
static void
mark_forks(const struct gc *gc, const struct load_file *file, uint8_t *marks)
{
	uint8_t *taken = load_file_marks(file);

	for (uint32_t i = 0; i < file->count; i++)
		if (has(gc, file, i, GC_ASKS) && (marks[i] & ON_WAY) != 0)
			taken[file->node[i].names] = 1;
	if (!are_linked(gc, file))
		taken[0] = 0;
	for (uint32_t i = 0; i < file->count; i++)
		if (has(gc, file, i, GC_ASKS) && (marks[i] & ON_WAY) == 0 &&
		    taken[file->node[i].names])
			marks[i] |= LEFT;
	free(taken);
}

/* Marks the branches that the user left. */
static void
mark_left(const struct gc *gc, const struct load_file *file, uint8_t *marks)
{
	uint32_t end = find_end(gc, file), at = end;
	bool is_end =
	    file->checkpoint.is_explicit && load_file_named(file, file->checkpoint.id) != LOAD_NONE;

	for (; at != LOAD_NONE && (marks[at] & ON_WAY) == 0; at = above(gc, file, at))
		marks[at] |= ON_WAY;
	mark_forks(gc, file, marks);
	for (uint32_t i = 0; i < file->count; i++) {
		at = above(gc, file, i);
		if (at < i && ((marks[at] & LEFT) != 0 || (is_end && at == end)))
			marks[i] |= LEFT;
	}
}

/* Counts the segment that the last compaction keeps, up to end; or the records that it names one by
 * one. */
static void
count_kept(struct gc *gc, const struct load_file *file, const uint8_t *marks, uint32_t end)
{
	uint32_t pair[2];
	bool has_named = false;

	for (size_t at = 0; at < file->kept.len; at += sizeof pair) {
		uint32_t from, to;

		memcpy(pair, file->kept.ptr + at, sizeof pair);
		from = load_file_named(file, pair[0]);
		to = load_file_named(file, pair[1]);
		if (pair[0] != pair[1] && has_named)
			return;
		for (uint32_t i = from; to < end && i <= to; i++)
			if ((marks[i] & LEFT) == 0)
				count(gc, file, i);
		has_named |= pair[0] == pair[1] && from < end;
	}
}

static void
count_forked(struct gc *gc, const struct load_file *file)
{
	uint8_t *marks = mem_alloc((size_t)file->count + 1, 1);
	uint32_t from = file->count;

	memset(marks, 0, (size_t)file->count + 1);
	mark_left(gc, file, marks);
	while (from > 0 && !has(gc, file, from - 1, GC_TAKES))
		from--;
	if (from > 0)
		from--;
	for (uint32_t i = from; i < file->count; i++)
		if ((marks[i] & LEFT) == 0)
			count(gc, file, i);
	if (!gc->is_retold)
		count_kept(gc, file, marks, from);
	free(marks);
}

/* Counts on the way from the last record to the first that the last compaction keeps; the summaries
 * before that compaction are taken out. A record whose parent is unknown follows the one before
 * it. */
static void
count_on_way(struct gc *gc, const struct load_file *file)
{
	uint32_t at = file->count, first = 0, left = gc->summaries;
	bool is_compacted = false;

	for (at--; at != LOAD_NONE && at >= first; at--) {
		const struct load_file_node *node = &file->node[at];
		uint32_t found = load_file_named(file, node->names);
		bool is_summary;

		while (left > 0 && gc->summary[left - 1].node > at)
			left--;
		is_summary = left > 0 && gc->summary[left - 1].node == at;
		if (!is_summary || !is_compacted)
			count(gc, file, at);
		if (is_summary && !is_compacted)
			first = load_file_named(file, gc->summary[left - 1].id);
		is_compacted |= is_summary;
		if (found < at)
			at = found + 1;
		else if (node->parent_type == JSON_NULL)
			return;
	}
}

void
gc_missed_count(struct gc *gc, const struct load_file *file)
{
	if (gc->form->asks != NULL) {
		count_forked(gc, file);
	} else if (gc->pass.load.plan.form->chain != NULL && !file->is_flat) {
		count_on_way(gc, file);
	} else {
		for (uint32_t i = 0; i < file->count; i++)
			if (file->node[i].line > gc->compacted)
				count(gc, file, i);
	}
}
