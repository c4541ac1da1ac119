/* BLAKE2b: the vector of RFC 7693, and those of b2sum -l 128. */

#include "base/hash/blake2b.h"

#include "unit.h"

enum { PATTERN = 1024 };

static char pattern[PATTERN];

/* Hashes in pieces of step bytes, and writes the digest as hexadecimal digits. */
static void
hash(struct str text, size_t len, size_t step, char *hex)
{
	struct blake2b state;
	uint8_t digest[BLAKE2B_MOST];

	blake2b_init(&state, len);
	for (size_t at = 0; at < text.len; at += step)
		blake2b_add(
		    &state, str_of(text.ptr + at, step < text.len - at ? step : text.len - at));
	blake2b_end(&state, digest);
	for (size_t i = 0; i < len; i++)
		sprintf(hex + 2 * i, "%02x", digest[i]);
}

static void
check_pattern(size_t len, const char *expected)
{
	static const size_t steps[] = {1, 7, 64, 127, 128, 129, PATTERN};
	char hex[2 * BLAKE2B_MOST + 1];

	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		hash(str_of(pattern, len), 16, steps[i], hex);
		CHECK_STR(str_from(hex), expected);
	}
}

/* A state that was copied and ended goes on as if it had not been. */
static void
test_copy(void)
{
	struct blake2b state, copy;
	uint8_t digest[BLAKE2B_MOST], again[BLAKE2B_MOST];

	blake2b_init(&state, 16);
	blake2b_add(&state, str_of(pattern, 200));
	copy = state;
	blake2b_end(&copy, digest);
	blake2b_add(&state, str_of(pattern + 200, 56));
	blake2b_end(&state, digest);
	blake2b_init(&state, 16);
	blake2b_add(&state, str_of(pattern, 256));
	blake2b_end(&state, again);
	CHECK(memcmp(digest, again, 16) == 0);
}

int
main(void)
{
	char hex[2 * BLAKE2B_MOST + 1];

	for (int i = 0; i < PATTERN; i++)
		pattern[i] = (char)(i & 255);
	hash(STR("abc"), 64, 3, hex);
	CHECK_STR(str_from(hex),
	    "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
	    "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
	hash(STR("abc"), 16, 3, hex);
	CHECK_STR(str_from(hex), "cf4ab791c62b8d2b2109c90275287816");
	check_pattern(0, "cae66941d9efbd404e4d88758ea67670");
	check_pattern(1, "7025e075d5e2f6cde3cc051a31f07660");
	check_pattern(3, "a75c0b0d97360c1ba783496eb6a0395a");
	check_pattern(127, "28b1296c7d4807883de6ee4ec04dcc0a");
	check_pattern(128, "a74787004ef589e31149183900d0294a");
	check_pattern(129, "aaf1b0371f6d4ee49ee4fb5ddd9c49ef");
	check_pattern(255, "192657d8c2d07da4ee7beb8c6f9951f4");
	check_pattern(256, "c2472c0ac37a8dbdb25f05ada0d82643");
	check_pattern(1024, "0b4661484ed1cc8e28c4a7f18e8b1019");
	test_copy();
	return unit_end();
}
