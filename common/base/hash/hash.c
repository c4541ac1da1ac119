#include "base/hash/hash.h"

#include <endian.h>
#include <string.h>
#include <sys/random.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/wide.h"

/* Long texts are hashed in blocks of BLOCK_WORDS words. On a processor with vectors of four words,
 * several or many vectors are hashed at a time. */
enum {
	BLOCK_WORDS = 16,
	BLOCK = BLOCK_WORDS * sizeof(uint64_t),
	VECTOR_WORDS = 4,
	VECTOR = VECTOR_WORDS * sizeof(uint64_t),
	VECTORS_MIN = 3,
	VECTORS_MAX = 16,
	BLOCK_SECRETS = (VECTORS_MAX + 1) * VECTOR_WORDS,
};

#define ODD_CONSTANTS \
	{ \
		0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu, 0x165667b19e3779f9u, 0xd6e8feb86659fd93u \
	}

/* The secret is the constants as they are when the kernel gives no random bytes. A block needs more
 * words of it. */
static uint64_t secret[4] = ODD_CONSTANTS;
static const uint64_t no_secret[4] = ODD_CONSTANTS;
static uint64_t block_secret[BLOCK_SECRETS];
static bool seeded, has_vectors;

static void
seed_once(void)
{
	uint64_t fresh[4];

	if (seeded)
		return;
	seeded = true;
	if (getrandom(fresh, sizeof fresh, GRND_NONBLOCK) == (ssize_t)sizeof fresh)
		for (unsigned i = 0; i < 4; i++)
			secret[i] ^= fresh[i];
#if defined(__x86_64__)
	has_vectors = __builtin_cpu_supports("avx2");
#endif
	for (unsigned i = 0; i < BLOCK_SECRETS; i++)
		block_secret[i] = wide_fold(secret[i % 4] + i, secret[(i + 1) % 4]);
}

static uint64_t
load32(const char *ptr)
{
	uint32_t word;

	memcpy(&word, ptr, sizeof word);
	return word;
}

/* All of at most eight bytes as a word, another one for others of that length. */
static uint64_t
load(const char *ptr, size_t len)
{
	uint64_t word = 0;

	if (len >= 8)
		memcpy(&word, ptr, 8);
	else if (len >= 4)
		word = load32(ptr) << 32 | load32(ptr + len - 4);
	else if (len > 0)
		word = (uint64_t)(unsigned char)ptr[0] << 16 |
		    (uint64_t)(unsigned char)ptr[len / 2] << 8 | (unsigned char)ptr[len - 1];
	return word;
}

static inline __attribute__((always_inline)) struct hash
mix_with(const uint64_t *words, struct hash hash, uint64_t x, uint64_t y)
{
	return (struct hash){
	    wide_fold(hash.a ^ x ^ words[0], hash.b ^ y ^ words[1]),
	    wide_fold(hash.b + x + words[2], (hash.a ^ y) + words[3]) ^ hash.a,
	};
}

static inline __attribute__((always_inline)) struct hash
mix(struct hash hash, uint64_t x, uint64_t y)
{
	return mix_with(secret, hash, x, y);
}

struct hash
hash_seed(enum hash_kind kind)
{
	return (struct hash){kind, kind};
}

struct hash
hash_number(uint64_t number, struct hash seed)
{
	seed_once();
	return mix(seed, number, ~number);
}

/* A block as a sum of products of 128 bits, of pairs of words to which secret ones were added: NH,
 * as in UMAC (RFC 4418), but for the carry from one half into the other, which eight products can
 * change by seven at most. No product waits for another one. */
static __attribute__((noinline)) struct hash
sum_block(const char *ptr)
{
	struct hash sum = {0, 0};

#pragma GCC unroll 8
	for (unsigned i = 0; i < BLOCK_WORDS; i += 2) {
		uint64_t high,
		    low = wide_multiply(load(ptr + 8 * i, 8) + block_secret[i],
			load(ptr + 8 * i + 8, 8) + block_secret[i + 1], &high);

		sum.a += low;
		sum.b += high;
	}
	return sum;
}

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2")))

TARGET static inline __m256i
load_vector(const void *ptr)
{
	return _mm256_loadu_si256(ptr);
}

/* The products of the halves of each word, to which secret ones were added. */
TARGET static inline __m256i
multiply_halves(__m256i words, const uint64_t *secrets)
{
	__m256i sum = _mm256_add_epi32(words, load_vector(secrets));

	return _mm256_mul_epu32(sum, _mm256_srli_epi64(sum, 32));
}

TARGET static inline uint64_t
add_words(__m256i vector)
{
	__m128i half =
	    _mm_add_epi64(_mm256_castsi256_si128(vector), _mm256_extracti128_si256(vector, 1));

	return (uint64_t)_mm_cvtsi128_si64(half) + (uint64_t)_mm_extract_epi64(half, 1);
}

/* NH of words of 32 bits, twice, the second time with secrets that are shifted by a vector, as in
 * UMAC. */
TARGET static struct hash
sum_vectors(const char *ptr, size_t count)
{
	const uint64_t *secrets = block_secret;
	__m256i a = _mm256_setzero_si256(), b = a;

#pragma GCC unroll 4
	for (; count > 0; count--, ptr += VECTOR, secrets += VECTOR_WORDS) {
		__m256i words = load_vector(ptr);

		a = _mm256_add_epi64(a, multiply_halves(words, secrets));
		b = _mm256_add_epi64(b, multiply_halves(words, secrets + VECTOR_WORDS));
	}
	return (struct hash){add_words(a), add_words(b)};
}
#else
static struct hash
sum_vectors(const char *ptr, size_t count)
{
	(void)count;
	return sum_block(ptr);
}
#endif

struct hash
hash_bytes(struct str bytes, struct hash seed)
{
	const char *ptr = bytes.ptr;
	size_t left = bytes.len;
	struct hash hash = seed, sum;
	uint64_t rest;

	seed_once();
	while (has_vectors && left >= VECTORS_MIN * VECTOR) {
		size_t count = left < VECTORS_MAX * VECTOR ? left / VECTOR : VECTORS_MAX;

		sum = sum_vectors(ptr, count);
		hash = mix(hash, sum.a, sum.b + count);
		ptr += count * VECTOR;
		left -= count * VECTOR;
	}
	for (; left >= BLOCK; ptr += BLOCK, left -= BLOCK) {
		sum = sum_block(ptr);
		hash = mix(hash, sum.a, sum.b);
	}
	for (; left >= 16; ptr += 16, left -= 16)
		hash = mix(hash, load(ptr, 8), load(ptr + 8, 8));
	/* At most seven bytes of the rest, so that its length has room beside them. The secret
	 * tells the end from sixteen bytes that are chosen to look like one. */
	rest = left > 8 ? le64toh(load(ptr + left - 8, 8)) >> 8 * (16 - left) : 0;
	return mix(hash, load(ptr, left) ^ secret[2], rest | (uint64_t)(left + 1) << 56);
}

struct hash
hash_lasting(struct str bytes, struct hash seed)
{
	enum { PIECE = 16 };
	struct hash hash = seed;
	char last[PIECE] = {0};
	size_t at = 0;

	for (; bytes.len - at >= PIECE; at += PIECE)
		hash = mix_with(no_secret, hash, le64toh(load(bytes.ptr + at, 8)),
		    le64toh(load(bytes.ptr + at + 8, 8)));
	if (at < bytes.len)
		memcpy(last, bytes.ptr + at, bytes.len - at);
	hash = mix_with(no_secret, hash, le64toh(load(last, 8)), le64toh(load(last + 8, 8)));
	return mix_with(no_secret, hash, bytes.len, 0);
}

void
hash_stream_add(struct hash_stream *stream, struct str bytes)
{
	enum { PIECE = sizeof stream->rest };

	seed_once();
	while (bytes.len > 0) {
		size_t len = PIECE - stream->rest_len;

		if (stream->rest_len == 0 && bytes.len >= PIECE) {
			stream->hash =
			    mix(stream->hash, load(bytes.ptr, 8), load(bytes.ptr + 8, 8));
			bytes = str_of(bytes.ptr + PIECE, bytes.len - PIECE);
			continue;
		}
		if (len > bytes.len)
			len = bytes.len;
		memcpy(stream->rest + stream->rest_len, bytes.ptr, len);
		stream->rest_len += (unsigned)len;
		bytes = str_of(bytes.ptr + len, bytes.len - len);
		if (stream->rest_len < PIECE)
			return;
		stream->hash = mix(stream->hash, load(stream->rest, 8), load(stream->rest + 8, 8));
		stream->rest_len = 0;
	}
}

bool
hash_stream_is_equal(const struct hash_stream *a, const struct hash_stream *b)
{
	return hash_eq(a->hash, b->hash) && a->rest_len == b->rest_len &&
	    memcmp(a->rest, b->rest, a->rest_len) == 0;
}
