#include "base/hash/blake2b.h"

enum { ROUNDS = 12 };

static const uint64_t iv[8] = {
    UINT64_C(0x6a09e667f3bcc908),
    UINT64_C(0xbb67ae8584caa73b),
    UINT64_C(0x3c6ef372fe94f82b),
    UINT64_C(0xa54ff53a5f1d36f1),
    UINT64_C(0x510e527fade682d1),
    UINT64_C(0x9b05688c2b3e6c1f),
    UINT64_C(0x1f83d9abfb41bd6b),
    UINT64_C(0x5be0cd19137e2179),
};

static const uint8_t sigma[ROUNDS][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
};

static uint64_t
rotate(uint64_t word, unsigned count)
{
	return word >> count | word << (64 - count);
}

/* A word of a block, which is in little endian. */
static uint64_t
load(const uint8_t *bytes)
{
	uint64_t word = 0;

	for (unsigned i = 8; i-- > 0;)
		word = word << 8 | bytes[i];
	return word;
}

static inline void
mix(uint64_t v[16], unsigned a, unsigned b, unsigned c, unsigned d, uint64_t x, uint64_t y)
{
	v[a] += v[b] + x;
	v[d] = rotate(v[d] ^ v[a], 32);
	v[c] += v[d];
	v[b] = rotate(v[b] ^ v[c], 24);
	v[a] += v[b] + y;
	v[d] = rotate(v[d] ^ v[a], 16);
	v[c] += v[d];
	v[b] = rotate(v[b] ^ v[c], 63);
}

/* The compression function F of the RFC. */
static void
compress(struct blake2b *state, const uint8_t *block, bool is_last)
{
	uint64_t v[16], m[16];

	for (unsigned i = 0; i < 8; i++) {
		v[i] = state->h[i];
		v[i + 8] = iv[i];
	}
	v[12] ^= state->bytes;
	if (is_last)
		v[14] = ~v[14];
	for (unsigned i = 0; i < 16; i++)
		m[i] = load(block + (size_t)i * 8);
	for (unsigned i = 0; i < ROUNDS; i++) {
		const uint8_t *s = sigma[i];

		mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
		mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
		mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
		mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
		mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
		mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
		mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
		mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
	}
	for (unsigned i = 0; i < 8; i++)
		state->h[i] ^= v[i] ^ v[i + 8];
}

void
blake2b_init(struct blake2b *state, size_t len)
{
	*state = (struct blake2b){.len = len};
	memcpy(state->h, iv, sizeof iv);
	state->h[0] ^= UINT64_C(0x01010000) ^ len;
}

/* A full block is compressed only when more bytes come, because the last block is marked. */
void
blake2b_add(struct blake2b *state, struct str bytes)
{
	while (bytes.len > 0) {
		size_t take = BLAKE2B_BLOCK - state->used;

		if (take == 0) {
			compress(state, state->block, false);
			state->used = 0;
			continue;
		}
		take = take < bytes.len ? take : bytes.len;
		memcpy(state->block + state->used, bytes.ptr, take);
		state->used += take;
		state->bytes += take;
		bytes = str_of(bytes.ptr + take, bytes.len - take);
	}
}

void
blake2b_end(struct blake2b *state, uint8_t *digest)
{
	memset(state->block + state->used, 0, BLAKE2B_BLOCK - state->used);
	compress(state, state->block, true);
	for (size_t i = 0; i < state->len; i++)
		digest[i] = (uint8_t)(state->h[i / 8] >> i % 8 * 8);
}
