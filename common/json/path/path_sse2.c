/*
 * The path for every x86-64. SSE2 has no look-up by nibble, so UTF-8 is checked sequence by
 * sequence.
 */

#include "json/path/path.h"

#if defined(__x86_64__)

#include <emmintrin.h>

#define TARGET

struct path_block {
	__m128i part[4];
};

struct utf8 {
	const char *start;
	uint64_t pending; /* how many bytes of the next block are in a sequence that was checked */
};

static inline __m128i
load(const char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline uint64_t
mask64(__m128i a, __m128i b, __m128i c, __m128i d)
{
	uint32_t low = (uint32_t)_mm_movemask_epi8(a) | (uint32_t)_mm_movemask_epi8(b) << 16;
	uint32_t high = (uint32_t)_mm_movemask_epi8(c) | (uint32_t)_mm_movemask_epi8(d) << 16;

	return low | (uint64_t)high << 32;
}

/* The mask of the bytes of a block for which test holds. test is one of the functions that
 * follow. */
#define MASK(block, test, c) \
	mask64(test((block)->part[0], c), test((block)->part[1], c), test((block)->part[2], c), \
	    test((block)->part[3], c))

static inline __m128i
is(__m128i bytes, char c)
{
	return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
}

/* Whether a byte is c, with or without the bit; c has the bit. */
static inline __m128i
is_but_for_bit(__m128i bytes, char c, char bit)
{
	return is(_mm_or_si128(bytes, _mm_set1_epi8(bit)), c);
}

static inline __m128i
is_bracket(__m128i bytes, char c)
{
	return is_but_for_bit(bytes, c, 0x20);
}

/* Signed: bytes that are not ASCII are less than c, too. */
static inline __m128i
is_less(__m128i bytes, char c)
{
	return _mm_cmplt_epi8(bytes, _mm_set1_epi8(c));
}

/* Whether a byte other than a quote and a slash may follow a backslash; c is 'f'. */
static inline __m128i
is_escape(__m128i bytes, char c)
{
	__m128i ends = _mm_or_si128(is(bytes, 'n'), _mm_or_si128(is(bytes, 'r'), is(bytes, 't')));

	return _mm_or_si128(_mm_or_si128(ends, is(bytes, '\\')), is_but_for_bit(bytes, c, 4));
}

static inline struct path_block
block_load(const char *p)
{
	return (struct path_block){{load(p), load(p + 16), load(p + 32), load(p + 48)}};
}

static inline uint64_t
block_find(const struct path_block *block, char c)
{
	return MASK(block, is, c);
}

static inline uint64_t
block_find_bracket(const struct path_block *block, char c)
{
	return MASK(block, is_bracket, c);
}

static inline uint64_t
block_odd(const struct path_block *block)
{
	return MASK(block, is_less, 0x20);
}

static inline uint64_t
block_high(const struct path_block *block)
{
	return mask64(block->part[0], block->part[1], block->part[2], block->part[3]);
}

static inline uint64_t
block_escapes(const struct path_block *block)
{
	return MASK(block, is_escape, 'f'); /* a b is an f without the bit 4 */
}

static inline uint64_t
utf8_errors(struct utf8 *utf8, const char *p, const struct path_block *block, uint64_t high)
{
	uint64_t left = high & UINT64_MAX << utf8->pending;

	(void)block;
	utf8->pending = 0;
	while (left != 0) {
		unsigned at = (unsigned)__builtin_ctzll(left);
		unsigned len = utf8_len(p + at);

		if (len == 0)
			return UINT64_C(1) << at;
		if (at + len >= 64) {
			utf8->pending = at + len - 64;
			return 0;
		}
		left &= UINT64_MAX << (at + len);
	}
	return 0;
}

static inline uint32_t
head_quotes(const char *p)
{
	__m128i a = load(p), b = load(p + 16);

	return (uint32_t)_mm_movemask_epi8(_mm_or_si128(is(a, '"'), is(a, '\\'))) |
	    (uint32_t)_mm_movemask_epi8(_mm_or_si128(is(b, '"'), is(b, '\\'))) << 16;
}

static inline uint32_t
head_special(const char *p)
{
	return head_quotes(p) | (uint32_t)_mm_movemask_epi8(is_less(load(p), 0x20)) |
	    (uint32_t)_mm_movemask_epi8(is_less(load(p + 16), 0x20)) << 16;
}

#include "json/path/path_blocks.inc"
#include "json/path/path_grammar.inc"

const struct json_path json_path_sse2 = {
    scan_text, string_end, decode, decoded_len, long_escape, container_end};

#endif
