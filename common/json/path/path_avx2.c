/*
 * The path for x86-64 with AVX2. UTF-8 is checked as in "Validating UTF-8 in less than one
 * instruction per byte" (Keiser and Lemire, 2021; simdjson): for each pair of bytes, three look-ups
 * by nibble give three sets of errors. The pair has an error when the error is in all three sets.
 */

#include "json/path/path.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,popcnt")))

struct path_block {
	__m256i low, high;
};

struct utf8 {
	const char *start; /* where the bytes to check begin */
	uint64_t pending;
};

TARGET static inline __m256i
load(const char *p)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

TARGET static inline uint32_t
mask32(__m256i bytes)
{
	return (uint32_t)_mm256_movemask_epi8(bytes);
}

TARGET static inline uint64_t
mask64(__m256i low, __m256i high)
{
	return mask32(low) | (uint64_t)mask32(high) << 32;
}

TARGET static inline struct path_block
block_load(const char *p)
{
	return (struct path_block){load(p), load(p + 32)};
}

TARGET static inline uint64_t
block_find(const struct path_block *block, char c)
{
	__m256i wanted = _mm256_set1_epi8(c);

	return mask64(
	    _mm256_cmpeq_epi8(block->low, wanted), _mm256_cmpeq_epi8(block->high, wanted));
}

TARGET static inline uint64_t
block_find_bracket(const struct path_block *block, char c)
{
	__m256i bit = _mm256_set1_epi8(0x20);
	struct path_block folded = {
	    _mm256_or_si256(block->low, bit), _mm256_or_si256(block->high, bit)};

	return block_find(&folded, c);
}

TARGET static inline uint64_t
block_odd(const struct path_block *block)
{
	__m256i blank = _mm256_set1_epi8(0x20); /* signed: bytes that are not ASCII are less, too */

	return mask64(_mm256_subs_epi8(block->low, blank), _mm256_subs_epi8(block->high, blank));
}

TARGET static inline uint64_t
block_high(const struct path_block *block)
{
	return mask64(block->low, block->high);
}

/* A table of 16 bytes for each lane. */
#define TABLE(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)

/*
 * All of \bfnrt differ in the low nibble of their halves, rounded up. The table has for each such
 * nibble the one byte of which the half may be, or one that has another half.
 */
TARGET static inline __m256i
match_escapes(__m256i bytes)
{
	const __m256i by_half = TABLE(0, 'b', 0, 'f', 0, 0, 0, 'n', 0, 'r', 't', 0, 0, 0, '\\', 0);
	__m256i half = _mm256_avg_epu8(bytes, _mm256_setzero_si256());

	return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(by_half, half), bytes);
}

TARGET static inline uint64_t
block_escapes(const struct path_block *block)
{
	return mask64(match_escapes(block->low), match_escapes(block->high));
}

/* What may be wrong with a pair of bytes. */
enum {
	TOO_SHORT = 1,     /* a lead byte, then no trail byte */
	TOO_LONG = 2,      /* ASCII, then a trail byte */
	OVERLONG_3 = 4,    /* e0 80..9f */
	TOO_LARGE = 8,     /* f4 90..bf, f5..ff 90..bf */
	SURROGATE = 16,    /* ed a0..bf */
	OVERLONG_2 = 32,   /* c0..c1 */
	TOO_LARGE_80 = 64, /* f5..ff 80..8f */
	OVERLONG_4 = 64,   /* f0 80..8f */
	TWO_TRAILS = -128, /* bit 7, wrong unless in a sequence of three or four */
	ANY_LOW = TOO_SHORT | TOO_LONG | TWO_TRAILS, /* with any low nibble of the first byte */
	ABOVE = ANY_LOW | TOO_LARGE | TOO_LARGE_80,
	TRAIL = TOO_LONG | OVERLONG_2 | TWO_TRAILS,
};

/* For each byte of bytes the byte that is count bytes earlier. before is the vector of the 32 bytes
 * before bytes. */
#define SHIFT(before, bytes, count) \
	_mm256_alignr_epi8(bytes, _mm256_permute2x128_si256(before, bytes, 0x21), 16 - (count))

TARGET static inline __m256i
pair_errors(__m256i first, __m256i second)
{
	const __m256i nibble = _mm256_set1_epi8(15);
	const __m256i first_high =
	    TABLE(TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
		TWO_TRAILS, TWO_TRAILS, TWO_TRAILS, TWO_TRAILS, TOO_SHORT | OVERLONG_2, TOO_SHORT,
		TOO_SHORT | OVERLONG_3 | SURROGATE, TOO_SHORT | TOO_LARGE | TOO_LARGE_80);
	const __m256i first_low = TABLE(ANY_LOW | OVERLONG_2 | OVERLONG_3 | OVERLONG_4,
	    ANY_LOW | OVERLONG_2, ANY_LOW, ANY_LOW, ANY_LOW | TOO_LARGE, ABOVE, ABOVE, ABOVE, ABOVE,
	    ABOVE, ABOVE, ABOVE, ABOVE, ABOVE | SURROGATE, ABOVE, ABOVE);
	const __m256i second_high = TABLE(TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
	    TOO_SHORT, TOO_SHORT, TOO_SHORT, TRAIL | OVERLONG_3 | TOO_LARGE_80,
	    TRAIL | OVERLONG_3 | TOO_LARGE, TRAIL | SURROGATE | TOO_LARGE,
	    TRAIL | SURROGATE | TOO_LARGE, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT);
	__m256i a = _mm256_and_si256(_mm256_srli_epi16(first, 4), nibble);
	__m256i b = _mm256_and_si256(first, nibble);
	__m256i c = _mm256_and_si256(_mm256_srli_epi16(second, 4), nibble);

	return _mm256_and_si256(_mm256_shuffle_epi8(first_high, a),
	    _mm256_and_si256(
		_mm256_shuffle_epi8(first_low, b), _mm256_shuffle_epi8(second_high, c)));
}

/* Not zero at bytes that are wrong UTF-8. before is the vector before bytes. */
TARGET static inline __m256i
utf8_check(__m256i before, __m256i bytes)
{
	__m256i third = _mm256_subs_epu8(SHIFT(before, bytes, 2), _mm256_set1_epi8(0xe0 - 0x80));
	__m256i fourth = _mm256_subs_epu8(SHIFT(before, bytes, 3), _mm256_set1_epi8(0xf0 - 0x80));
	__m256i trails =
	    _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(TWO_TRAILS));

	return _mm256_xor_si256(trails, pair_errors(SHIFT(before, bytes, 1), bytes));
}

TARGET static inline uint64_t
utf8_errors(struct utf8 *utf8, const char *p, const struct path_block *block, uint64_t high)
{
	__m256i zero = _mm256_setzero_si256();
	__m256i before = p == utf8->start ? zero : load(p - 32);

	utf8->pending = high >> 61; /* the last three may begin a sequence */
	return ~mask64(_mm256_cmpeq_epi8(utf8_check(before, block->low), zero),
	    _mm256_cmpeq_epi8(utf8_check(block->low, block->high), zero));
}

TARGET static inline uint32_t
head_quotes(const char *p)
{
	__m256i bytes = load(p);

	return mask32(_mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')),
	    _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\'))));
}

TARGET static inline uint32_t
head_special(const char *p)
{
	return head_quotes(p) | mask32(_mm256_subs_epi8(load(p), _mm256_set1_epi8(0x20)));
}

#include "json/path/path_blocks.inc"
#include "json/path/path_grammar.inc"

const struct json_path json_path_avx2 = {
    scan_text, string_end, decode, decoded_len, long_escape, container_end};

#endif
