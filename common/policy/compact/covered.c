#include "policy/compact/covered.h"

#include <stdlib.h>

#include "base/mem.h"

/*
 * The reads of a target are sorted by their first line; of reads with the same first line, the
 * longer one comes first. Then a read is covered if a read before it in that order is a later call
 * and ends no sooner.
 * The greatest last line among later calls is kept in a Fenwick tree over the calls, newest first.
 */
struct read {
	struct hash target;
	int64_t first;
	int64_t last;
	uint32_t call;
	uint32_t rank; /* from 1, the newest call first */
	bool is_part;  /* which lines it shows is not known: it covers nothing */
};

struct tree {
	int64_t *greatest; /* by rank */
	uint32_t count;
};

static int
order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int
compare(const void *left, const void *right)
{
	const struct read *a = left, *b = right;

	if (a->target.a != b->target.a)
		return order(a->target.a, b->target.a);
	if (a->target.b != b->target.b)
		return order(a->target.b, b->target.b);
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	if (a->last != b->last)
		return a->last > b->last ? -1 : 1;
	return order(a->rank, b->rank);
}

static void
tree_add(struct tree *tree, uint32_t rank, int64_t last)
{
	for (; rank <= tree->count; rank += rank & -rank)
		if (tree->greatest[rank] < last)
			tree->greatest[rank] = last;
}

static void
tree_clear(struct tree *tree, uint32_t rank)
{
	for (; rank <= tree->count; rank += rank & -rank)
		tree->greatest[rank] = 0;
}

/* The greatest last line among the calls newer than rank. */
static int64_t
tree_greatest(const struct tree *tree, uint32_t rank)
{
	int64_t greatest = 0;

	for (rank--; rank > 0; rank -= rank & -rank)
		if (tree->greatest[rank] > greatest)
			greatest = tree->greatest[rank];
	return greatest;
}

static void
find_in_target(const struct read *read, uint32_t count, struct tree *tree,
    void (*found)(void *context, uint32_t call), void *context)
{
	for (uint32_t i = 0; i < count; i++) {
		if (tree_greatest(tree, read[i].rank) >= read[i].last)
			found(context, read[i].call);
		if (!read[i].is_part)
			tree_add(tree, read[i].rank, read[i].last);
	}
	for (uint32_t i = 0; i < count; i++)
		tree_clear(tree, read[i].rank);
}

void
covered_find(const struct session *t, const uint32_t *calls, uint32_t count,
    void (*found)(void *context, uint32_t call), void *context)
{
	struct read *read = mem_alloc((size_t)count + 1, sizeof *read);
	struct tree tree = {mem_alloc((size_t)count + 1, sizeof *tree.greatest), count};
	uint32_t end;

	for (uint32_t i = 0; i < count; i++) {
		const struct tool_use *use = &t->call[calls[i]].use;

		read[i] = (struct read){hash_bytes(use->target, hash_seed(HASH_TARGET)),
		    use->first_line, use->last_line, calls[i], count - i, use->is_part};
	}
	memset(tree.greatest, 0, ((size_t)count + 1) * sizeof *tree.greatest);
	if (count > 0)
		qsort(read, count, sizeof *read, compare);
	for (uint32_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && hash_eq(read[i].target, read[end].target);)
			end++;
		find_in_target(read + i, end - i, &tree, found, context);
	}
	free(read);
	free(tree.greatest);
}
