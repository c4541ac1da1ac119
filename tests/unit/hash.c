/* Keyed hashes, the map from them, and their numbers. */

#include "base/hash/hash.h"
#include "base/hash/numbering.h"

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

static void
test_map(void)
{
	struct map map = MAP_INIT;

	CHECK(map_get(&map, key_of(0)) == MAP_NONE);
	map_remove(&map, key_of(0));
	CHECK(map.count == 0);
	CHECK(map_set(&map, key_of(0), 5) == MAP_NONE);
	CHECK(map_set(&map, key_of(0), 6) == 5);
	CHECK(map_get(&map, key_of(0)) == 6);
	CHECK(map_get(&map, key_of(1)) == MAP_NONE);
	CHECK(map.count == 1);
	map_remove(&map, key_of(1));
	CHECK(map.count == 1);
	map_remove(&map, key_of(0));
	CHECK(map.count == 0);
	CHECK(map_get(&map, key_of(0)) == MAP_NONE);
	map_free(&map);
	CHECK(map.entry == NULL && map.cap == 0);
}

/* Removing moves others back: what stays is found after each removal. */
static void
test_many(void)
{
	struct map map = MAP_INIT;
	unsigned wrong = 0;

	for (unsigned i = 0; i < KEYS; i++)
		wrong += map_set(&map, key_of(i), i) != MAP_NONE;
	CHECK(map.count == KEYS && map.cap >= KEYS * 3 / 2);
	for (unsigned i = 0; i < KEYS; i += 3)
		map_remove(&map, key_of(i));
	for (unsigned i = 0; i < KEYS; i++)
		wrong += map_get(&map, key_of(i)) != (i % 3 == 0 ? MAP_NONE : i);
	CHECK(map.count == KEYS - (KEYS + 2) / 3);
	for (unsigned i = 0; i < KEYS; i++)
		map_remove(&map, key_of(i));
	for (unsigned i = 0; i < KEYS; i++)
		wrong += map_get(&map, key_of(i)) != MAP_NONE;
	CHECK(wrong == 0);
	CHECK(map.count == 0);
	map_free(&map);
}

/* The slot of a table of 64 that the key wants. */
static size_t
home_of(struct hash key)
{
	struct map map = MAP_INIT;
	size_t i = 0;

	for (unsigned other = 0; other < 30; other++)
		map_set(&map, key_of(other), 1);
	for (unsigned other = 0; other < 30; other++)
		map_remove(&map, key_of(other));
	map_set(&map, key, 1);
	while (map_slots(&map)[i] == 0)
		i++;
	map_free(&map);
	return i;
}

/* Keys that want one of three slots, at the end of the table, so that probing wraps around. */
static void
test_collisions(void)
{
	struct hash key[30];
	struct map map = MAP_INIT;
	unsigned wrong = 0;
	uint64_t next = 0;

	for (unsigned i = 0; i < 30; i++)
		do
			key[i] = (struct hash){next++, 0};
		while (home_of(key[i]) != 63 - i % 3);

	for (unsigned removed = 0; removed < 30; removed++) {
		for (unsigned i = 0; i < 30; i++)
			map_set(&map, key[i], i);
		wrong += map.cap != 64;
		map_remove(&map, key[removed]);
		for (unsigned i = 0; i < 30; i++)
			wrong += map_get(&map, key[i]) != (i == removed ? MAP_NONE : i);
	}
	CHECK(wrong == 0);
	map_free(&map);
}

/* The longest run of used slots in a map of keys that count up in a, or in b. */
static size_t
longest_run(bool in_b)
{
	struct map map = MAP_INIT;
	size_t run = 0, longest = 0;

	for (uint64_t i = 0; i < KEYS; i++)
		map_set(&map, in_b ? (struct hash){7, i} : (struct hash){i, 7}, i);
	for (size_t i = 0; i < map.cap; i++) {
		run = map_slots(&map)[i] != 0 ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	map_free(&map);
	return longest;
}

/* Neighbours are spread: no run is longer than a few. */
static void
test_numbers(void)
{
	struct hash seed = hash_seed(HASH_CALL);

	CHECK(longest_run(false) < 64);
	CHECK(longest_run(true) < 64);
	CHECK(is_same(hash_number(7, seed), hash_number(7, seed)));
	CHECK(!is_same(hash_number(7, seed), hash_number(8, seed)));
	CHECK(!is_same(hash_number(7, seed), hash_number(7, hash_seed(HASH_GROUP))));
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
	test_map();
	test_many();
	test_collisions();
	test_numbers();
	test_numbering();
	test_stream();
	return unit_end();
}
