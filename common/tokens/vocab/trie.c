#include <stdlib.h>

#include "base/mem.h"
#include "tokens/vocab/compile.h"
#include "tokens/vocabulary_format.h"

/*
 * Nodes are numbered when a token first needs them, in the order of use, and their children are
 * placed in that order. So the nodes of common tokens are together at the start of the table.
 */

#define BLOCK 256
#define NODE_CAP (1u << 20)
#define MULTI_TRIES 12 /* blocks that a node with more than one child tries */

struct node {
	uint32_t token;
	uint32_t child;   /* the newest, 0 is none */
	uint32_t sibling; /* the next older */
	uint32_t base;
	uint8_t byte;
};

struct trie {
	struct node *nodes;
	uint32_t node_count;
	uint64_t *edges; /* hash table, see get_child */
	uint32_t *cells; /* node that sits there, 0 is free */
	bool *bases;     /* taken as a base */
	uint32_t block_count;
	uint32_t first_open; /* the first block that may take a single child */
};

/* The child by byte, added when it is new. A slot is parent << 40 | byte << 32 | child. */
static uint32_t
get_child(struct trie *trie, uint32_t parent, uint8_t byte)
{
	uint64_t key = (uint64_t)parent << 8 | byte;
	size_t slot = vocabulary_pair_hash(key) >> 43;
	struct node *node;

	for (; trie->edges[slot] != 0; slot = (slot + 1) & (2 * NODE_CAP - 1))
		if (trie->edges[slot] >> 32 == key)
			return (uint32_t)trie->edges[slot];
	if (trie->node_count == NODE_CAP)
		abort();
	trie->edges[slot] = key << 32 | trie->node_count;
	node = &trie->nodes[trie->node_count];
	*node = (struct node){VOCABULARY_NONE, 0, trie->nodes[parent].child, 0, byte};
	trie->nodes[parent].child = trie->node_count;
	return trie->node_count++;
}

static void
add_token(struct trie *trie, struct str token, uint32_t rank)
{
	uint32_t node = 0;

	for (size_t i = 0; i < token.len; i++)
		node = get_child(trie, node, (uint8_t)token.ptr[i]);
	trie->nodes[node].token = rank;
}

static bool
fits(const struct trie *trie, uint32_t parent, uint32_t base)
{
	if (trie->bases[base])
		return false;
	for (uint32_t i = trie->nodes[parent].child; i != 0; i = trie->nodes[i].sibling)
		if (trie->cells[base ^ trie->nodes[i].byte] != 0)
			return false;
	return true;
}

/* A base in the block where the children of parent find free cells, or 0. */
static uint32_t
find_base(const struct trie *trie, uint32_t parent, uint32_t block)
{
	uint8_t byte = trie->nodes[trie->nodes[parent].child].byte;

	for (uint32_t cell = block * BLOCK; cell < (block + 1) * BLOCK; cell++)
		if (trie->cells[cell] == 0 && fits(trie, parent, cell ^ byte))
			return cell ^ byte;
	return 0;
}

static uint32_t
choose_base(struct trie *trie, uint32_t parent)
{
	bool single = trie->nodes[trie->nodes[parent].child].sibling == 0;
	uint32_t base = 0, block = trie->first_open;

	if (!single && trie->block_count - block > MULTI_TRIES)
		block = trie->block_count - MULTI_TRIES;
	for (; base == 0 && block < trie->block_count; block++) {
		base = find_base(trie, parent, block);
		if (base == 0 && single)
			trie->first_open++;
	}
	if (base == 0)
		base = find_base(trie, parent, trie->block_count++);
	return base;
}

static void
place_children(struct trie *trie, uint32_t parent)
{
	uint32_t base;

	if (trie->nodes[parent].child == 0)
		return;
	base = choose_base(trie, parent);
	trie->nodes[parent].base = base;
	trie->bases[base] = true;
	for (uint32_t i = trie->nodes[parent].child; i != 0; i = trie->nodes[i].sibling)
		trie->cells[base ^ trie->nodes[i].byte] = i;
}

static void
write_cells(const struct trie *trie, struct trie_tables *tables)
{
	uint32_t count = trie->block_count * BLOCK, *cells, *tokens;

	tables->cells.len = tables->tokens.len = count * sizeof(uint32_t);
	cells = tables->cells.ptr = calloc(1, tables->cells.len);
	tokens = tables->tokens.ptr = calloc(1, tables->tokens.len);
	if (cells == NULL || tokens == NULL)
		mem_exhausted();
	for (uint32_t i = 0; i < count; i++) {
		const struct node *node = &trie->nodes[trie->cells[i]];

		if (trie->cells[i] == 0)
			continue;
		cells[i] = node->base << VOCABULARY_BASE_SHIFT | (node->byte + 1u);
		if (node->token != VOCABULARY_NONE) {
			cells[i] |= VOCABULARY_END;
			tokens[i] = node->token;
		}
	}
}

void
trie_make(struct trie_tables *tables, const struct ranks *ranks, const uint32_t *order)
{
	struct trie trie = {.node_count = 1};

	trie.nodes = calloc(NODE_CAP, sizeof(*trie.nodes));
	trie.edges = calloc(2 * NODE_CAP, sizeof(*trie.edges));
	trie.cells = calloc(2 * NODE_CAP, sizeof(*trie.cells));
	trie.bases = calloc(2 * NODE_CAP, sizeof(*trie.bases));
	if (!trie.nodes || !trie.edges || !trie.cells || !trie.bases)
		mem_exhausted();
	trie.bases[0] = true; /* the base of a leaf, where no child is */
	for (size_t i = 0; i < ranks->count; i++)
		add_token(&trie, ranks_get(ranks, order[i]), order[i]);
	for (uint32_t i = 0; i < trie.node_count; i++)
		place_children(&trie, i);
	tables->root = trie.nodes[0].base;
	write_cells(&trie, tables);
	free(trie.nodes);
	free(trie.edges);
	free(trie.cells);
	free(trie.bases);
}
