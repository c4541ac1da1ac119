#include "tokens/pieces/bpe.h"

#include <stdlib.h>

#include "base/mem.h"

#define TOUCH_BITS_MIN 9 /* 1 << bits answers are remembered */
#define TOUCH_BITS_MAX 15
#define TOUCH_BITS_STEP 3
#define KEEP_CAP 4096 /* working memory for pieces of so many bytes is kept between calls */

static void
alloc_touches(struct bpe *bpe, unsigned bits)
{
	bpe->touch_bits = bits;
	bpe->touches = calloc((size_t)1 << bits, sizeof(*bpe->touches));
	if (bpe->touches == NULL)
		mem_exhausted();
}

void
bpe_init(struct bpe *bpe, struct vocabulary *vocabulary)
{
	*bpe = (struct bpe){.vocabulary = vocabulary};
	alloc_touches(bpe, TOUCH_BITS_MIN);
}

void
bpe_grow(struct bpe *bpe)
{
	if (bpe->touch_bits == TOUCH_BITS_MAX)
		return;
	free(bpe->touches);
	alloc_touches(bpe, bpe->touch_bits + TOUCH_BITS_STEP);
}

static void
free_piece(struct bpe *bpe)
{
	free(bpe->tokens);
	free(bpe->dead);
	bpe->tokens = NULL;
	bpe->dead = NULL;
	bpe->cap = 0;
}

void
bpe_free(struct bpe *bpe)
{
	free_piece(bpe);
	free(bpe->touches);
	bpe->touches = NULL;
}

static void
reserve(struct bpe *bpe, size_t len)
{
	if (len <= bpe->cap)
		return;
	free_piece(bpe);
	bpe->cap = len < KEEP_CAP ? KEEP_CAP : len;
	bpe->tokens = mem_alloc(bpe->cap, sizeof(*bpe->tokens));
	bpe->dead = mem_alloc(bpe->cap / 64 + 1, sizeof(*bpe->dead));
}

/* Called for a token that no merge makes: it is a byte, and its own part, or the file is damaged.
 * Returns true. */
static bool
is_byte(struct vocabulary *vocabulary, uint32_t token, uint32_t part)
{
	if (part != token)
		vocabulary_damaged(vocabulary);
	return true;
}

/*
 * Whether left and right may be neighbours. Their merges are made from the lowest rank up, so this
 * undoes merges from the highest rank down and looks at the two tokens that then touch at the
 * border:
 *
 *     a b c|d e        left = ab + c, right = d + e
 *         |d e         is cd a token that merges before `left` and `right` were made?
 *       c |d
 *
 * limit is the rank of the merge that was undone last: only a merge of a lower rank would have been
 * made before it.
 */
static bool
undo_and_look(struct vocabulary *vocabulary, uint32_t left, uint32_t right)
{
	uint32_t limit = VOCABULARY_NONE, part;

	for (unsigned undone = 0; undone < 2 * VOCABULARY_LEN_MAX; undone++) {
		if (vocabulary_pair(vocabulary, left, right) < limit)
			return false;
		if (left > right) {
			limit = left;
			part = vocabulary_right(vocabulary, left);
			if (part < left) {
				left = part;
				continue;
			}
			limit = right + 1;
			part = vocabulary_left(vocabulary, right);
			if (part >= right)
				return is_byte(vocabulary, right, part);
			right = part;
		} else {
			limit = right + 1;
			part = vocabulary_left(vocabulary, right);
			if (part < right) {
				right = part;
				continue;
			}
			limit = left;
			part = vocabulary_right(vocabulary, left);
			if (part >= left)
				return is_byte(vocabulary, left, part);
			left = part;
		}
	}
	vocabulary_damaged(vocabulary); /* every merge that is undone makes a token shorter */
	return true;
}

/* The same, with answers remembered. An entry is the key of the pair + 1, and in its lowest bit the
 * answer. */
static inline bool
may_touch(const struct bpe *bpe, uint32_t left, uint32_t right)
{
	uint64_t key = vocabulary_pair_key(left, right) + 1;
	uint64_t *answer = &bpe->touches[key * 0x9e3779b97f4a7c15u >> (64 - bpe->touch_bits)];

	if (*answer >> 1 != key)
		*answer = key << 1 | undo_and_look(bpe->vocabulary, left, right);
	return *answer & 1;
}

static inline bool
is_dead(const struct bpe *bpe, size_t i)
{
	return bpe->dead[i / 64] >> i % 64 & 1;
}

/* Whether token may be at byte at of the piece, after the last of count tokens. */
static inline bool
fits(const struct bpe *bpe, struct str piece, size_t at, uint32_t token, size_t count)
{
	const uint8_t *start = (const uint8_t *)piece.ptr;

	return count == 0 ||
	    vocabulary_parts_at(bpe->vocabulary, start, start + at, start + piece.len) ||
	    may_touch(bpe, bpe->tokens[count - 1] & VOCABULARY_ID_MASK, token);
}

/* token has *len bytes. Returns the longest of token and its prefixes that fits at byte at and
 * whose end is not dead, and sets *len to its length; returns VOCABULARY_NONE when there is
 * none. */
static inline uint32_t
longest_fit(
    const struct bpe *bpe, struct str piece, size_t at, uint32_t token, unsigned *len, size_t count)
{
	struct vocabulary *vocabulary = bpe->vocabulary;

	while (is_dead(bpe, at + *len) || !fits(bpe, piece, at, token, count)) {
		unsigned shorter;

		token = vocabulary_prefix(vocabulary, token);
		if (token == VOCABULARY_ID_MASK)
			return VOCABULARY_NONE;
		shorter = vocabulary_len(vocabulary, token);
		if (token >= vocabulary->token_count || shorter == 0 || shorter >= *len)
			return vocabulary_damaged(vocabulary);
		*len = shorter;
	}
	return token;
}

size_t
bpe_backtrack(struct bpe *bpe, struct str piece)
{
	struct vocabulary *vocabulary = bpe->vocabulary;
	const uint8_t *start = (const uint8_t *)piece.ptr, *end = start + piece.len;
	size_t at = 0, count = 0;
	uint32_t token;
	unsigned len;

	token = vocabulary_longest(vocabulary, start, end, &len);
	if (len == piece.len)
		return 1;
	reserve(bpe, piece.len);
	memset(bpe->dead, 0, (piece.len / 64 + 1) * sizeof(*bpe->dead));
	for (;;) {
		token = longest_fit(bpe, piece, at, token, &len, count);
		if (token != VOCABULARY_NONE) {
			bpe->tokens[count++] = token | (uint32_t)len << 24;
			at += len;
			if (at >= piece.len)
				break;
			token = vocabulary_longest(vocabulary, start + at, end, &len);
		} else if (count > 0) {
			bpe->dead[at / 64] |= (uint64_t)1 << at % 64;
			token = bpe->tokens[--count];
			len = token >> 24;
			token &= VOCABULARY_ID_MASK;
			at -= len;
		} else {
			vocabulary_damaged(vocabulary); /* a sound one always has a way */
			count = piece.len;
			break;
		}
	}
	if (bpe->cap > KEEP_CAP)
		free_piece(bpe);
	return count;
}

/* The token that the neighbours at i merge to; VOCABULARY_NONE after the last pair. */
static inline uint32_t
pair_at(struct vocabulary *vocabulary, const uint32_t *tokens, size_t i, size_t count)
{
	return i + 1 < count ? vocabulary_pair(vocabulary, tokens[i], tokens[i + 1]) :
			       VOCABULARY_NONE;
}

size_t
bpe_merge(struct vocabulary *vocabulary, struct str piece)
{
	const uint8_t *p = (const uint8_t *)piece.ptr;
	uint32_t tokens[BPE_MERGE_CAP + 1], merged[BPE_MERGE_CAP + 1];
	size_t count = piece.len;

	for (size_t i = 0; i < count; i++)
		tokens[i] = vocabulary->byte_tokens[p[i]];
	for (size_t i = 0; i + 1 < count; i++)
		merged[i] = vocabulary_byte_pair(vocabulary, p[i], p[i + 1]);
	merged[count - 1] = VOCABULARY_NONE;
	for (;;) {
		uint32_t best = VOCABULARY_NONE;
		size_t at = 0;

		for (size_t i = 0; i + 1 < count; i++) {
			at = merged[i] < best ? i : at;
			best = merged[i] < best ? merged[i] : best;
		}
		if (best == VOCABULARY_NONE)
			return count;
		count--;
		tokens[at] = best;
		for (size_t i = at + 1; i < count; i++) {
			tokens[i] = tokens[i + 1];
			merged[i] = merged[i + 1];
		}
		merged[at] = pair_at(vocabulary, tokens, at, count);
		if (at > 0)
			merged[at - 1] = pair_at(vocabulary, tokens, at - 1, count);
	}
}
