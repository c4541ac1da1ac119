#ifndef TOKENS_VOCAB_COMPILE_H
#define TOKENS_VOCAB_COMPILE_H

/*
 * Makes the tables of a compiled vocabulary (tokens/vocabulary_format.h) from the ranks. The tables
 * are on the heap and belong to the caller. The build tool that uses them need not free them.
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

struct trie_tables {
	struct table cells;
	struct table tokens;
	uint32_t root; /* the base of its root */
};

/* The frequent tokens, by hash. */
struct front_tables {
	struct table tinies;
	struct table shorts;
};

/* The ranks in the order of how often their tokens may be met: in the sessions of agents those of
 * ASCII come first. The caller frees them. */
uint32_t *ranks_by_use(const struct ranks *ranks);

/* FRONT_TINY and FRONT_SHORT: of the tokens with one place in a table, the first in the order. */
void front_tables_make(
    struct front_tables *front, const struct ranks *ranks, const uint32_t *order);

void token_map_init(struct token_map *map, const struct ranks *ranks);

/* The rank of bytes, or VOCABULARY_NONE. */
uint32_t token_map_find(const struct token_map *map, struct str bytes);

/* The number of entries in tables that are indexed by token. */
uint32_t token_cap(const struct ranks *ranks);

/* Makes the tables of pairs. Returns false when a token is not the result of merging its own bytes:
 * then the two methods of tokens/pieces/bpe.h would give different counts. */
bool pair_tables_make(struct pair_tables *tables, const struct token_map *map);

/* TOKENS: prefixes and lengths. */
struct table prefix_table_make(const struct token_map *map);

/* TRIE and TRIE_TOKENS. order: of ranks_by_use. */
void trie_make(struct trie_tables *tables, const struct ranks *ranks, const uint32_t *order);

/* WIDE, from a trie. */
struct table wide_table_make(const struct trie_tables *trie);

/* WIDE_PAIRS. */
struct table wide_pairs_make(const struct ranks *ranks);

#endif
