#include "tokens/pieces/piece_counts.h"

#include <stdlib.h>

#include "base/mem.h"

/*
 * The tables of recent pieces, by a hash of their bytes. A new piece replaces an old one. An empty
 * entry has length 0, so that no piece is equal to it.
 *
 *     tiny     a key of tokens/pieces/piece_key.h, with the count in its upper four bits
 *     short    the same
 *     long     length | count | 124 bytes of text
 *
 * A short run would use every page of large tables, but few entries, and a page costs as much as
 * to count twenty pieces again. So the tables are small at the start. They grow when as many pieces
 * were new, and no frequent tokens, as a table has entries.
 */
#define LONG_LEN 124
#define BITS_MIN 10 /* 1 << bits tiny entries, half as many short ones, a 32nd of long ones */
#define BITS_MAX 16
#define BITS_STEP 3
#define SHORT_LESS 1
#define LONG_LESS 5
/* Merging is the faster method for pieces up to this length, unless their first or second byte
 * starts a code point of three or four bytes. All other pieces are counted by backtracking. */
#define MERGE_LEN 24
#define THREE_BYTES 0xe0

struct piece_counts_long {
	uint16_t len, count;
	char text[LONG_LEN];
};

/* Pieces of at most PIECE_SHORT_LEN bytes that are not remembered, to be looked up together. */
struct misses {
	struct str piece[VOCABULARY_GROUP];
	unsigned count;
};

static void *
alloc_zeros(size_t count, size_t size)
{
	void *zeros = calloc(count, size);

	if (zeros == NULL)
		mem_exhausted();
	return zeros;
}

static void
alloc_tables(struct piece_counts *counts, unsigned bits)
{
	counts->bits = bits;
	counts->new_count = 0;
	counts->tinies = alloc_zeros((size_t)1 << bits, sizeof(*counts->tinies));
	counts->shorts = alloc_zeros((size_t)1 << (bits - SHORT_LESS), sizeof(*counts->shorts));
	counts->longs = alloc_zeros((size_t)1 << (bits - LONG_LESS), sizeof(*counts->longs));
}

static void
free_tables(struct piece_counts *counts)
{
	free(counts->tinies);
	free(counts->shorts);
	free(counts->longs);
}

static inline uint64_t *
find_tiny(const struct piece_counts *counts, uint64_t key)
{
	return &counts->tinies[piece_tiny_place(key, counts->bits)];
}

static inline struct piece_key *
find_short(const struct piece_counts *counts, struct piece_key key)
{
	return &counts->shorts[piece_short_place(key, counts->bits - SHORT_LESS)];
}

/* Moves the remembered pieces to tables of more entries. */
static void
grow(struct piece_counts *counts)
{
	struct piece_counts old = *counts;

	alloc_tables(counts, old.bits + BITS_STEP);
	bpe_grow(&counts->bpe);
	for (size_t i = 0; i < (size_t)1 << old.bits; i++)
		*find_tiny(counts, old.tinies[i] & UINT64_MAX >> 4) = old.tinies[i];
	for (size_t i = 0; i < (size_t)1 << (old.bits - SHORT_LESS); i++) {
		struct piece_key entry = old.shorts[i], key = entry;

		key.tail &= UINT64_MAX >> 4;
		*find_short(counts, key) = entry;
	}
	free_tables(&old);
}

/* Whether backtracking is the faster method for the piece. */
static inline bool
is_for_backtracking(struct str piece)
{
	const uint8_t *p = (const uint8_t *)piece.ptr;

	return piece.len > MERGE_LEN || p[0] >= THREE_BYTES || p[piece.len > 1] >= THREE_BYTES;
}

/* Remembers the count of a piece of at most PIECE_SHORT_LEN bytes. Returns the count. */
static size_t
remember(struct piece_counts *counts, struct str piece, size_t count)
{
	if (piece.len <= PIECE_TINY_LEN) {
		uint64_t key = piece_tiny_key(piece.ptr, piece.len);

		*find_tiny(counts, key) = key | (uint64_t)count << 60;
	} else {
		struct piece_key key = piece_short_key(piece.ptr, piece.len);
		struct piece_key *entry = find_short(counts, key);

		*entry = (struct piece_key){key.head, key.tail | (uint64_t)count << 60};
	}
	return count;
}

static size_t
count_misses(struct piece_counts *counts, struct misses *misses)
{
	struct vocabulary *vocabulary = counts->bpe.vocabulary;
	uint32_t tokens;
	size_t sum = 0;

	if (misses->count == 0)
		return 0;
	tokens = vocabulary_tokens(vocabulary, misses->piece, misses->count);
	for (unsigned i = 0; i < misses->count; i++) {
		struct str piece = misses->piece[i];

		sum += remember(counts, piece, tokens >> i & 1 ? 1 : bpe_merge(vocabulary, piece));
	}
	counts->new_count += misses->count;
	misses->count = 0;
	return sum;
}

/* Counts a piece of PIECE_SHORT_LEN + 1 to LONG_LEN bytes that is not remembered. */
static size_t
count_new(struct piece_counts *counts, struct str piece)
{
	counts->new_count++;
	if (is_for_backtracking(piece))
		return bpe_backtrack(&counts->bpe, piece);
	if (vocabulary_tokens(counts->bpe.vocabulary, &piece, 1) != 0)
		return 1;
	return bpe_merge(counts->bpe.vocabulary, piece);
}

/* Counts a piece of PIECE_SHORT_LEN + 1 to LONG_LEN bytes. */
static size_t
count_long(struct piece_counts *counts, struct str piece)
{
	uint64_t hash = piece_load(piece.ptr + piece.len - 8) ^ piece.len;
	struct piece_counts_long *entry;

	for (size_t i = 0; i + 8 < piece.len; i += 8)
		hash = wide_fold(
		    piece_load(piece.ptr + i) ^ 0x9e3779b97f4a7c15u, hash ^ 0xe7037ed1a0b428dbu);
	entry = &counts->longs[hash & (((size_t)1 << (counts->bits - LONG_LESS)) - 1)];
	if (entry->len == piece.len && memcmp(entry->text, piece.ptr, piece.len) == 0)
		return entry->count;
	entry->len = (uint16_t)piece.len;
	entry->count = (uint16_t)count_new(counts, piece);
	memcpy(entry->text, piece.ptr, piece.len);
	return entry->count;
}

/* Counts a piece of at most PIECE_SHORT_LEN bytes that is not remembered, or returns 0 and adds it
 * to the misses. Kept out of the loop over all pieces, most of which are remembered. */
static __attribute__((noinline)) size_t
count_short(struct piece_counts *counts, struct str piece, struct misses *misses)
{
	const struct vocabulary *vocabulary = counts->bpe.vocabulary;

	if (piece.len <= PIECE_TINY_LEN ?
		vocabulary_has_tiny(vocabulary, piece_tiny_key(piece.ptr, piece.len)) :
		vocabulary_has_short(vocabulary, piece_short_key(piece.ptr, piece.len)))
		return remember(counts, piece, 1);
	if (!is_for_backtracking(piece)) {
		misses->piece[misses->count++] = piece;
		return misses->count == VOCABULARY_GROUP ? count_misses(counts, misses) : 0;
	}
	counts->new_count++;
	return remember(counts, piece, bpe_backtrack(&counts->bpe, piece));
}

/* Counts a piece, or returns 0 and adds it to the misses. 16 bytes from its start are readable. */
static inline size_t
count_piece(struct piece_counts *counts, const char *ptr, size_t len, struct misses *misses)
{
	struct str piece = str_of(ptr, len);

	if (len <= PIECE_TINY_LEN) {
		uint64_t key = piece_tiny_key(ptr, len), entry = *find_tiny(counts, key);

		if ((entry ^ key) << 4 == 0)
			return entry >> 60;
	} else if (len <= PIECE_SHORT_LEN) {
		struct piece_key key = piece_short_key(ptr, len), *entry = find_short(counts, key);

		if (((entry->head ^ key.head) | (entry->tail ^ key.tail) << 4) == 0)
			return entry->tail >> 60;
	} else if (len <= LONG_LEN) {
		return count_long(counts, piece);
	} else {
		return bpe_backtrack(&counts->bpe, piece);
	}
	return count_short(counts, piece, misses);
}

void
piece_counts_init(struct piece_counts *counts, struct vocabulary *vocabulary)
{
	bpe_init(&counts->bpe, vocabulary);
	alloc_tables(counts, BITS_MIN);
}

void
piece_counts_free(struct piece_counts *counts)
{
	bpe_free(&counts->bpe);
	free_tables(counts);
}

size_t
piece_counts_sum(struct piece_counts *counts, const char *text, size_t start, const size_t *ends,
    size_t end_count)
{
	struct misses misses;
	size_t sum = 0;

	misses.count = 0;
	for (size_t i = 0; i < end_count; i++) {
		sum += count_piece(counts, text + start, ends[i] - start, &misses);
		start = ends[i];
	}
	sum += count_misses(counts, &misses);
	if (counts->new_count >= (size_t)1 << counts->bits && counts->bits < BITS_MAX)
		grow(counts);
	return sum;
}
