#ifndef TOKENS_VOCAB_COMPILE_H
#define TOKENS_VOCAB_COMPILE_H

/*
 * The tables of a compiled vocabulary (tokens/vocabulary_format.h), each made from the ranks.
 * Tables are on the heap and the caller's to free, or live as long as the program: a build tool.
 */

#include "tokens/vocab/ranks.h"

struct table {
	void *ptr;
	size_t len; /* bytes */
};

/* Finds tokens by their bytes. */
struct token_map {
	const struct ranks *ranks;
	uint32_t *slots;
	uint32_t mask;
};

struct pair_tables {
	struct table pairs;
	struct table filter;
	struct table splits;
	struct table byte_pairs;
};

void token_map_init(struct token_map *map, const struct ranks *ranks);

/* The rank of bytes, or VOCABULARY_NONE. */
uint32_t token_map_find(const struct token_map *map, struct str bytes);

/* Entries of the tables by token. */
uint32_t token_cap(const struct ranks *ranks);

/* False when some token is never the result of merging its own bytes: then counting by valid pairs
 * would not be counting by ranks. */
bool pair_tables_make(struct pair_tables *tables, const struct token_map *map);

/* TOKENS: prefixes and lengths. */
struct table prefix_table_make(const struct token_map *map);

/* TRIE; *root is the base of its root. */
struct table trie_make(const struct ranks *ranks, uint32_t *root);

/* WIDE, by a TRIE. */
struct table wide_table_make(struct table trie, uint32_t root);

/* WIDE_PAIRS. */
struct table wide_pairs_make(const struct ranks *ranks);

#endif
