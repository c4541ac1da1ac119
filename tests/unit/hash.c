/* Keyed hashes, and the map from them. */

#include "base/hash.h"

#include "unit.h"

enum { KEYS = 20000 };

static struct hash
key_of(unsigned i)
{
	return hash_bytes(str_of((const char *)&i, sizeof i), (struct hash){0, 0});
}

static int
is_same(struct hash a, struct hash b)
{
	return a.a == b.a && a.b == b.b;
}

static void
test_hash(void)
{
	static char bytes[100];
	struct hash seed = {1, 1}, seen[2 * sizeof bytes];
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
	CHECK(!is_same(hash_bytes(STR("a"), seed), hash_bytes(STR("a"), (struct hash){2, 2})));
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
	CHECK(map.slot == NULL && map.cap == 0);
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

/* Keys that want one slot, at the end of the table, so that probing wraps around. */
static void
test_collisions(void)
{
	struct map map = MAP_INIT;
	unsigned wrong = 0;

	for (unsigned removed = 0; removed < 30; removed++) {
		for (unsigned i = 0; i < 30; i++)
			map_set(&map, (struct hash){63 - i % 3, i}, i);
		wrong += map.cap != 64;
		map_remove(&map, (struct hash){63 - removed % 3, removed});
		for (unsigned i = 0; i < 30; i++)
			wrong += map_get(&map, (struct hash){63 - i % 3, i}) !=
			    (i == removed ? MAP_NONE : i);
	}
	CHECK(wrong == 0);
	map_free(&map);
}

int
main(void)
{
	test_hash();
	test_map();
	test_many();
	test_collisions();
	return unit_end();
}
