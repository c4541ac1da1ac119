#include "base/hash/sum.h"

#include "base/hash/blake2b.h"

enum { BLOCK = sizeof(sum_lanes) };

static inline __attribute__((always_inline)) void
add_all(struct sum *sum, const char *ptr, size_t count)
{
	sum_lanes first = sum->first, second = sum->second, words;

#pragma GCC unroll 8
	for (size_t i = 0; i < count; i++) {
		memcpy(&words, ptr + i * BLOCK, BLOCK);
		first += words;
		second += first;
	}
	sum->first = first;
	sum->second = second;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void
add_vectors(struct sum *sum, const char *ptr, size_t count)
{
	add_all(sum, ptr, count);
}
#endif

static void
add_blocks(struct sum *sum, const char *ptr, size_t count)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2")) {
		add_vectors(sum, ptr, count);
		return;
	}
#endif
	add_all(sum, ptr, count);
}

void
sum_add(struct sum *sum, struct str bytes)
{
	size_t used = sum->bytes % BLOCK, take = used > 0 ? BLOCK - used : 0;

	sum->bytes += bytes.len;
	take = take < bytes.len ? take : bytes.len;
	if (take > 0)
		memcpy(sum->rest + used, bytes.ptr, take);
	if (used > 0 && used + take == BLOCK)
		add_blocks(sum, sum->rest, 1);
	bytes = str_rest(bytes, take);
	if (bytes.len == 0)
		return;
	add_blocks(sum, bytes.ptr, bytes.len / BLOCK);
	memcpy(sum->rest, bytes.ptr + bytes.len / BLOCK * BLOCK, bytes.len % BLOCK);
}

void
sum_write(const struct sum *sum, struct buf *buf)
{
	uint8_t digest[SUM_DIGITS / 2];
	struct blake2b state;

	blake2b_init(&state, sizeof digest);
	blake2b_add(&state, str_of((const char *)&sum->first, BLOCK));
	blake2b_add(&state, str_of((const char *)&sum->second, BLOCK));
	blake2b_add(&state, str_of((const char *)&sum->bytes, sizeof sum->bytes));
	blake2b_add(&state, str_of(sum->rest, sum->bytes % BLOCK));
	blake2b_end(&state, digest);
	buf_add_hex(buf, digest, sizeof digest);
}
