/* The map from hashes to numbers. */

#include "base/hash/map.h"

#include <stdbool.h>

#include "unit.h"

enum { KEYS = 20000 };

static struct hash
key_of(unsigned i)
{
	return hash_bytes(str_of((const char *)&i, sizeof i), hash_seed(HASH_AGENT));
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
	CHECK(hash_eq(hash_number(7, seed), hash_number(7, seed)));
	CHECK(!hash_eq(hash_number(7, seed), hash_number(8, seed)));
	CHECK(!hash_eq(hash_number(7, seed), hash_number(7, hash_seed(HASH_GROUP))));
}

int
main(void)
{
	test_map();
	test_many();
	test_collisions();
	test_numbers();
	return unit_end();
}
