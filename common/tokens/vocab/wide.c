#include <stdlib.h>

#include "base/mem.h"
#include "tokens/vocab/compile.h"
#include "tokens/vocabulary_format.h"

/* The cell that bytes lead to from the root, or 0. */
static uint64_t
walk(struct table trie, uint32_t root, const uint8_t *p, size_t len)
{
	const uint64_t *cells = trie.ptr;
	uint64_t cell = (uint64_t)root << VOCABULARY_LABEL_BITS;

	for (size_t i = 0; i < len; i++) {
		cell = cells[vocabulary_cell_base(cell) ^ p[i]];
		if ((cell & VOCABULARY_LABEL_MASK) != p[i] + 1u)
			return 0;
	}
	return cell;
}

struct table
wide_table_make(struct table trie, uint32_t root)
{
	struct table table = {NULL, VOCABULARY_WIDE_COUNT * sizeof(uint64_t)};
	uint64_t *cells = table.ptr = mem_alloc(1, table.len);

	for (uint32_t i = 0; i < VOCABULARY_WIDE_COUNT; i++) {
		uint8_t bytes[3] = {
		    (uint8_t)(0xe0 | i >> 12), 0x80 | (i >> 6 & 0x3f), 0x80 | (i & 0x3f)};

		cells[i] = walk(trie, root, bytes, 3);
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
