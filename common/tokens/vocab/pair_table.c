#include <stdlib.h>

#include "base/list.h"
#include "base/mem.h"
#include "tokens/vocab/compile.h"
#include "tokens/vocabulary_format.h"

#define FILTER_BITS_PER_PAIR 8

void
token_map_init(struct token_map *map, const struct ranks *ranks)
{
	uint32_t cap = token_cap(ranks) * 2;

	map->ranks = ranks;
	map->mask = cap - 1;
	map->slots = mem_alloc(cap, sizeof(*map->slots));
	memset(map->slots, 0xff, cap * sizeof(*map->slots));
	for (size_t i = 0; i < ranks->count; i++) {
		uint32_t slot = 2166136261u;
		struct str token = ranks_get(ranks, i);

		for (size_t j = 0; j < token.len; j++)
			slot = (slot ^ (uint8_t)token.ptr[j]) * 16777619u;
		while (map->slots[slot & map->mask] != VOCABULARY_NONE)
			slot++;
		map->slots[slot & map->mask] = (uint32_t)i;
	}
}

uint32_t
token_map_find(const struct token_map *map, struct str bytes)
{
	uint32_t slot = 2166136261u, rank;

	for (size_t i = 0; i < bytes.len; i++)
		slot = (slot ^ (uint8_t)bytes.ptr[i]) * 16777619u;
	while ((rank = map->slots[slot++ & map->mask]) != VOCABULARY_NONE)
		if (str_eq(ranks_get(map->ranks, rank), bytes))
			return rank;
	return VOCABULARY_NONE;
}

uint32_t
token_cap(const struct ranks *ranks)
{
	uint32_t cap = 1;

	while (cap < ranks->count)
		cap *= 2;
	return cap;
}

struct pair_list {
	uint64_t *cells;
	size_t count, cap;
};

/* Lists every split of every token into two tokens. */
static void
list_pairs(struct pair_list *list, const struct token_map *map)
{
	for (size_t i = 0; i < map->ranks->count; i++) {
		struct str token = ranks_get(map->ranks, i);

		for (size_t j = 1; j < token.len; j++) {
			uint32_t left = token_map_find(map, str_of(token.ptr, j)), right;

			if (left == VOCABULARY_NONE)
				continue;
			right = token_map_find(map, str_of(token.ptr + j, token.len - j));
			if (right != VOCABULARY_NONE)
				LIST_ADD(list->cells, list->count, list->cap,
				    vocabulary_pair_key(left, right) << VOCABULARY_ID_BITS | i);
		}
	}
}

static void
add_pair(struct pair_tables *tables, uint64_t cell)
{
	uint64_t hash = vocabulary_pair_hash(cell >> VOCABULARY_ID_BITS);
	uint32_t count = (uint32_t)(tables->pairs.len / (8 * VOCABULARY_BUCKET));
	uint64_t *cells = tables->pairs.ptr, *filter = tables->filter.ptr;
	uint64_t bit = hash & (tables->filter.len * 8 - 1);
	uint32_t bucket = vocabulary_bucket(hash, count);

	filter[bit / 64] |= (uint64_t)1 << bit % 64;
	for (int probe = 0; probe < VOCABULARY_PROBE_MAX; probe++) {
		uint64_t *p = cells + (size_t)((bucket + probe) % count) * VOCABULARY_BUCKET;

		for (int i = 0; i < VOCABULARY_BUCKET; i++) {
			if (p[i] == 0) {
				p[i] = cell;
				return;
			}
		}
	}
	abort();
}

static uint32_t
find_pair(const struct pair_tables *tables, uint32_t left, uint32_t right)
{
	uint64_t key = vocabulary_pair_key(left, right);
	uint32_t count = (uint32_t)(tables->pairs.len / (8 * VOCABULARY_BUCKET));
	uint32_t bucket = vocabulary_bucket(vocabulary_pair_hash(key), count);
	const uint64_t *cells = tables->pairs.ptr;

	for (size_t i = (size_t)bucket * VOCABULARY_BUCKET;; i++) {
		uint64_t cell = cells[i % ((size_t)count * VOCABULARY_BUCKET)];

		if (cell == 0)
			return VOCABULARY_NONE;
		if (cell >> VOCABULARY_ID_BITS == key)
			return cell & VOCABULARY_ID_MASK;
	}
}

/* Merges the bytes of a token by all ranks below its own: the two parts that are left, or false. */
static bool
split_token(
    const struct pair_tables *tables, const struct token_map *map, uint32_t rank, uint32_t parts[2])
{
	struct str token = ranks_get(map->ranks, rank);
	uint32_t ids[RANKS_TOKEN_CAP] = {0};
	size_t count = token.len;

	for (size_t i = 0; i < count; i++)
		ids[i] = token_map_find(map, str_of(token.ptr + i, 1));
	for (;;) {
		uint32_t best = rank;
		size_t at = 0;

		for (size_t i = 0; i + 1 < count; i++) {
			uint32_t merged = find_pair(tables, ids[i], ids[i + 1]);

			if (merged < best) {
				best = merged;
				at = i;
			}
		}
		if (best == rank)
			break;
		ids[at] = best;
		memmove(ids + at + 1, ids + at + 2, (count - at - 2) * sizeof(*ids));
		count--;
	}
	parts[0] = ids[0];
	parts[1] = ids[count - 1];
	return count == 2 || token.len == 1;
}

static bool
make_splits(struct pair_tables *tables, const struct token_map *map)
{
	uint64_t *splits;

	tables->splits.len = token_cap(map->ranks) * sizeof(*splits);
	splits = tables->splits.ptr = calloc(1, tables->splits.len);
	if (splits == NULL)
		mem_exhausted();
	for (uint32_t i = 0; i < map->ranks->count; i++) {
		uint32_t parts[2];

		if (!split_token(tables, map, i, parts))
			return false;
		splits[i] = parts[0] | (uint64_t)parts[1] << 32;
	}
	return true;
}

static void
make_byte_pairs(struct pair_tables *tables, const struct token_map *map)
{
	uint32_t *table = mem_alloc(1 << 16, sizeof(*table));

	for (unsigned i = 0; i < 1 << 16; i++) {
		char bytes[2] = {(char)(i >> 8), (char)i};

		table[i] = token_map_find(map, str_of(bytes, 2));
	}
	tables->byte_pairs = (struct table){table, sizeof(*table) << 16};
}

/* A table of pairs with its filter, for so many of them; two thirds full. */
static void
init_pairs(struct pair_tables *tables, size_t count)
{
	size_t filter_bits = 64;

	while (filter_bits < count * FILTER_BITS_PER_PAIR)
		filter_bits *= 2;
	tables->filter.len = filter_bits / 8;
	tables->filter.ptr = calloc(1, tables->filter.len);
	tables->pairs.len = (count * 3 / 2 / VOCABULARY_BUCKET + 1) * VOCABULARY_BUCKET * 8;
	tables->pairs.ptr = calloc(1, tables->pairs.len);
	if (tables->filter.ptr == NULL || tables->pairs.ptr == NULL)
		mem_exhausted();
}

/*
 * By the published rule any two tokens merge that are a token together. But the bytes of a token
 * always merge in the same order, so that its two parts before the last merge are the same in any
 * text: the table needs no other pairs.
 */
static void
keep_splits(struct pair_tables *tables, const struct ranks *ranks)
{
	const uint64_t *splits = tables->splits.ptr;

	free(tables->pairs.ptr);
	free(tables->filter.ptr);
	init_pairs(tables, ranks->count);
	for (size_t i = 0; i < ranks->count; i++)
		if (ranks_get(ranks, i).len > 1)
			add_pair(tables,
			    vocabulary_pair_key((uint32_t)splits[i], (uint32_t)(splits[i] >> 32))
				    << VOCABULARY_ID_BITS |
				i);
}

bool
pair_tables_make(struct pair_tables *tables, const struct token_map *map)
{
	struct pair_list list = {NULL, 0, 0};
	bool good;

	list_pairs(&list, map);
	init_pairs(tables, list.count);
	for (size_t i = 0; i < list.count; i++)
		add_pair(tables, list.cells[i]);
	free(list.cells);
	make_byte_pairs(tables, map);
	good = make_splits(tables, map);
	if (good)
		keep_splits(tables, map->ranks);
	return good;
}

struct table
prefix_table_make(const struct token_map *map)
{
	struct table table = {NULL, token_cap(map->ranks) * sizeof(uint32_t)};
	uint32_t *entries = table.ptr = calloc(1, table.len);

	if (entries == NULL)
		mem_exhausted();
	for (size_t i = 0; i < map->ranks->count; i++) {
		struct str token = ranks_get(map->ranks, i);
		uint32_t prefix = VOCABULARY_NONE;

		for (size_t len = token.len - 1; len > 0 && prefix == VOCABULARY_NONE; len--)
			prefix = token_map_find(map, str_of(token.ptr, len));
		entries[i] = (prefix & VOCABULARY_ID_MASK) | (uint32_t)token.len << 24;
	}
	return table;
}
