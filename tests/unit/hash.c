/* Keyed hashes, their numbers, the lasting hash, and sums. */

#include "base/hash/hash.h"
#include "base/hash/numbering.h"
#include "base/hash/sum.h"

#include <stdbool.h>

#include "unit.h"

enum { KEYS = 20000 };

static struct hash
key_of(unsigned i)
{
	return hash_bytes(str_of((const char *)&i, sizeof i), hash_seed(HASH_AGENT));
}

static int
is_same(struct hash a, struct hash b)
{
	return a.a == b.a && a.b == b.b;
}

static void
test_hash(void)
{
	static char bytes[300];
	struct hash seed = hash_seed(HASH_AGENT), seen[2 * sizeof bytes];
	unsigned count = 0;

	/* Every length, and every one with its last byte changed, has a hash of its own. */
	for (size_t len = 0; len < sizeof bytes; len++) {
		seen[count++] = hash_bytes(str_of(bytes, len), seed);
		if (len == 0)
			continue;
		bytes[len - 1] = 'x';
		seen[count++] = hash_bytes(str_of(bytes, len), seed);
		bytes[len - 1] = '\0';
		CHECK(is_same(seen[count - 2], hash_bytes(str_of(bytes, len), seed)));
	}
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; j < i; j++)
			if (is_same(seen[i], seen[j]))
				CHECK(!"two texts with one hash");
	CHECK(!is_same(hash_bytes(STR("a"), seed), hash_bytes(STR("a"), hash_seed(HASH_CALL))));
	CHECK(is_same(hash_bytes(STR("a"), seed), hash_bytes(STR("a"), seed)));
	/* Where the bytes lie does not matter. */
	memcpy(bytes + 1, "0123456789abcdef0123", 20);
	CHECK(is_same(hash_bytes(str_of(bytes + 1, 20), seed),
	    hash_bytes(STR("0123456789abcdef0123"), seed)));
}

/* The pieces do not matter, each byte does. */
static void
test_stream(void)
{
	static const char text[] = "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmno";
	struct hash_stream whole = HASH_STREAM_INIT;

	hash_stream_add(&whole, STR(text));
	for (size_t piece = 1; piece < sizeof text; piece++) {
		struct hash_stream stream = HASH_STREAM_INIT, other = HASH_STREAM_INIT;
		char changed[sizeof text];

		for (size_t at = 0; at + 1 < sizeof text; at += piece)
			hash_stream_add(&stream,
			    str_of(text + at,
				sizeof text - 1 - at < piece ? sizeof text - 1 - at : piece));
		CHECK(hash_stream_is_equal(&stream, &whole));
		memcpy(changed, text, sizeof text);
		changed[piece - 1] ^= 1;
		hash_stream_add(&other, str_of(changed, sizeof text - 1));
		CHECK(!hash_stream_is_equal(&other, &whole));
	}
	hash_stream_add(&whole, STR("p"));
	CHECK(whole.rest_len == (sizeof text) % 16);
}

static bool
sum_is(const struct sum *sum, const struct sum *wanted)
{
	struct buf is = BUF_INIT, want = BUF_INIT;
	bool is_equal;

	sum_write(sum, &is);
	sum_write(wanted, &want);
	is_equal =
	    is.len == SUM_DIGITS && str_eq(str_of(is.ptr, is.len), str_of(want.ptr, want.len));
	buf_free(&is);
	buf_free(&want);
	return is_equal;
}

/* The same holds for a sum, also of bytes that pass its block of 32. */
static void
test_sum(void)
{
	static const char text[] = "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopq"
				   "rstuvwxyz0123456789abcdefgh";
	struct sum whole = SUM_INIT;

	sum_add(&whole, STR(text));
	for (size_t piece = 1; piece < sizeof text; piece++) {
		struct sum sum = SUM_INIT, other = SUM_INIT;
		char changed[sizeof text];

		for (size_t at = 0; at + 1 < sizeof text; at += piece)
			sum_add(&sum,
			    str_of(text + at,
				sizeof text - 1 - at < piece ? sizeof text - 1 - at : piece));
		CHECK(sum_is(&sum, &whole));
		memcpy(changed, text, sizeof text);
		changed[piece - 1] ^= 1;
		sum_add(&other, str_of(changed, sizeof text - 1));
		CHECK(!sum_is(&other, &whole));
	}
}

/* Numbers come in order, a hash keeps its number, and half of the bits are not enough. */
static void
test_numbering(void)
{
	struct numbering numbering = {0};
	unsigned wrong = 0;

	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < KEYS; i++)
			wrong += numbering_add(&numbering, key_of(i)) != i + 1;
	for (uint64_t i = 0; i < 40; i++)
		wrong += numbering_add(&numbering, (struct hash){7, i}) != KEYS + i + 1;
	for (uint64_t i = 40; i-- > 0;)
		wrong += numbering_add(&numbering, (struct hash){7, i}) != KEYS + i + 1;
	CHECK(wrong == 0);
	CHECK(numbering.count == KEYS + 40);
	CHECK(3 * (size_t)numbering.count <= 2 * numbering.slots);
	numbering_free(&numbering);
	CHECK(numbering_add(&numbering, key_of(1)) == 1);
	numbering_free(&numbering);
}

/* A lasting hash is the same in every run: these are the values of release 0.1.0. Each byte and the
 * length count. */
static void
test_lasting(void)
{
	static const char text[] = "The tide comes in, and the tide goes out again.";
	struct hash seed = {0, 0}, short_one = hash_lasting(STR("tide"), seed);
	struct hash whole = hash_lasting(STR(text), seed);

	CHECK(short_one.a == UINT64_C(0x10ef7610709bf7f5) &&
	    short_one.b == UINT64_C(0x85df15df7b3bcd7b));
	CHECK(whole.a == UINT64_C(0x38229566ef7d08cf) && whole.b == UINT64_C(0x55f9915bc5975db5));
	CHECK(!hash_eq(hash_lasting(STR("tide"), whole), short_one));
	for (size_t len = 0; len < sizeof text - 1; len++) {
		char other[sizeof text];

		CHECK(!hash_eq(hash_lasting(str_of(text, len), seed), whole));
		memcpy(other, text, sizeof text);
		other[len] ^= 1;
		CHECK(!hash_eq(hash_lasting(str_of(other, sizeof text - 1), seed), whole));
		memcpy(other, text, sizeof text);
		memset(other + len, 0, sizeof text - len);
		CHECK(!hash_eq(hash_lasting(str_of(other, len), seed),
		    hash_lasting(str_of(other, len + 1), seed)));
	}
}

int
main(void)
{
	test_hash();
	test_lasting();
	test_numbering();
	test_stream();
	test_sum();
	return unit_end();
}
