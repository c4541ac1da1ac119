#include <stdlib.h>

#include "base/mem.h"
#include "tokens/vocab/compile.h"
#include "tokens/vocabulary_format.h"

/* The cell that bytes lead to from the root, and the token that ends there; or 0. */
static uint64_t
walk(const struct trie_tables *trie, const uint8_t *p, size_t len)
{
	const uint32_t *cells = trie->cells.ptr, *tokens = trie->tokens.ptr;
	uint32_t base = trie->root, at = 0;

	for (size_t i = 0; i < len; i++) {
		at = base ^ p[i];
		if ((cells[at] & VOCABULARY_LABEL_MASK) != p[i] + 1u)
			return 0;
		base = vocabulary_cell_base(cells[at]);
	}
	return (cells[at] & VOCABULARY_END) != 0 ? (uint64_t)(tokens[at] + 1) << 32 | cells[at] :
						   cells[at];
}

struct table
wide_table_make(const struct trie_tables *trie)
{
	struct table table = {NULL, VOCABULARY_WIDE_COUNT * sizeof(uint64_t)};
	uint64_t *cells = table.ptr = mem_alloc(1, table.len);

	for (uint32_t i = 0; i < VOCABULARY_WIDE_COUNT; i++) {
		uint8_t bytes[3] = {
		    (uint8_t)(0xe0 | i >> 12), 0x80 | (i >> 6 & 0x3f), 0x80 | (i & 0x3f)};

		cells[i] = walk(trie, bytes, 3);
	}
	return table;
}

/* Adds the pairs of left and all those code points that start with the len bytes at p, up to
 * three. */
static void
add_right(uint64_t *bits, uint32_t left, const uint8_t *p, size_t len)
{
	uint32_t first = (p[0] & 0xfu) << 12, count = 1 << 12;

	if (len > 1) {
		first |= (p[1] & 0x3fu) << 6;
		count = 1 << 6;
	}
	if (len > 2) {
		first |= p[2] & 0x3fu;
		count = 1;
	}
	for (uint32_t i = first; i < first + count; i++) {
		uint32_t bit = vocabulary_wide_pair_bit(left, i);

		bits[bit / 64] |= (uint64_t)1 << bit % 64;
	}
}

/* What is before byte i of a token: a wide code point, the end of one, or UINT32_MAX for others. */
static uint32_t
left_of(const uint8_t *p, size_t i)
{
	size_t known = i < 3 ? i : 3;

	if (i >= 3 && vocabulary_is_wide(p[i - 3]))
		return vocabulary_wide(p + i - 3);
	for (size_t j = i - known; j < i; j++)
		if ((p[j] & 0xc0) != 0x80)
			return UINT32_MAX;
	return i < 3 ? vocabulary_wide_end(p[i - 1]) : UINT32_MAX;
}

struct table
wide_pairs_make(const struct ranks *ranks)
{
	struct table table = {NULL, (1u << VOCABULARY_WIDE_PAIR_BITS) / 8};
	uint64_t *bits = table.ptr = calloc(1, table.len);

	if (bits == NULL)
		mem_exhausted();
	for (size_t rank = 0; rank < ranks->count; rank++) {
		struct str token = ranks_get(ranks, rank);
		const uint8_t *p = (const uint8_t *)token.ptr;

		for (size_t i = 1; i < token.len; i++)
			if (vocabulary_is_wide(p[i]) && left_of(p, i) != UINT32_MAX)
				add_right(bits, left_of(p, i), p + i, token.len - i);
	}
	return table;
}
