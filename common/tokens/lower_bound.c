#include "tokens/lower_bound.h"

#include <stdint.h>
#include <string.h>

/* 32 bytes at once, in the vectors of the compiler. */
typedef uint8_t lanes __attribute__((vector_size(32)));

/* Vectors go by pointer: a target without such registers has no one way to hand them over. */
static inline void
load(lanes *bytes, const char *ptr)
{
	memcpy(bytes, ptr, sizeof *bytes);
}

/* The sum of lanes of at most 4 each. */
static inline size_t
sum(const lanes *bytes)
{
	uint64_t part[4];

	memcpy(part, bytes, sizeof part);
	return (
	    size_t)((part[0] + part[1] + part[2] + part[3]) * UINT64_C(0x0101010101010101) >> 56);
}

static inline __attribute__((always_inline)) bool
reach(struct str json, size_t count)
{
	/* A text of shorter words is counted. */
	enum { ROUNDS = 4, BYTES_PER_WORD = 3 };
	size_t at = 1;

	/* What is left of less than ROUNDS vectors is not looked at. */
	while (count > 0 && at + ROUNDS * sizeof(lanes) <= json.len &&
	    count <= (json.len - at) / BYTES_PER_WORD) {
		lanes found = {0};
		size_t words;

		for (unsigned i = 0; i < ROUNDS; i++, at += sizeof(lanes)) {
			lanes before, byte, letter, parts, visible;

			load(&before, json.ptr + at - 1);
			load(&byte, json.ptr + at);
			letter = (lanes)((byte | 0x20) - 'a' < 26);
			parts = (lanes)(before - 0x20 < 16) & (lanes)(before != '\'');
			visible = (lanes)(byte - 0x21 < 0x5e) & (lanes)(byte != '\\');

			found -= (letter & parts) | (visible & (lanes)(before == ' ')); /* -1 */
		}
		words = sum(&found);
		count -= words < count ? words : count;
	}
	return count == 0;
}

#if defined(__x86_64__)
static __attribute__((target("avx2"))) bool
reach_wide(struct str json, size_t count)
{
	return reach(json, count);
}
#endif

bool
lower_bound_reach(struct str json, size_t count)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		return reach_wide(json, count);
#endif
	return reach(json, count);
}
