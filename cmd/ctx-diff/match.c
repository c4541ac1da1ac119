#include "match.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/number.h"

/* For one kind of key; all but the map by the index of a message of now, or of was. */
struct matching {
	struct told_all *was, *now;
	struct map newest;  /* a key -> the last message of was that has it and is free */
	uint32_t *earlier;  /* of was: the one before with the same key */
	uint32_t *low;      /* of now: the partner of the nearest pair before it, plus 1 */
	uint32_t *found;    /* of now: its partner, or one that it may have */
	uint32_t *last;     /* by length: which of now ends the best run of that length */
	uint32_t *previous; /* of now: the one before it in its run */
};

/* Puts the free messages of was into the map, each with those before that have its key. */
static void
open_keys(struct matching *m, enum told_key kind)
{
	for (uint32_t i = 0; i < m->was->count; i++) {
		const struct told *told = &m->was->told[i];
		uint64_t before;

		if (told->partner != TOLD_NONE || !told->has_key[kind])
			continue;
		before = map_set(&m->newest, told->key[kind], i);
		m->earlier[i] = before != MAP_NONE ? (uint32_t)before : TOLD_NONE;
	}
}

/* Takes the last free message of was with the key between low and high. */
static uint32_t
take_key(struct matching *m, struct hash key, uint32_t low, uint32_t high)
{
	uint64_t at = map_get(&m->newest, key);
	uint32_t taken = TOLD_NONE;

	/* A message after high is also after the high of all later calls. */
	while (at != MAP_NONE && at >= low && taken == TOLD_NONE) {
		if (at < high)
			taken = (uint32_t)at;
		at = m->earlier[at] != TOLD_NONE ? m->earlier[at] : MAP_NONE;
		if (at != MAP_NONE)
			map_set(&m->newest, key, at);
		else
			map_remove(&m->newest, key);
	}
	return taken;
}

static void
find_candidates(struct matching *m, enum told_key kind)
{
	uint32_t low = 0, high = m->was->count;

	for (uint32_t j = 0; j < m->now->count; j++) {
		m->low[j] = low;
		m->found[j] = m->now->told[j].partner;
		if (m->found[j] != TOLD_NONE)
			low = m->found[j] + 1;
	}
	for (uint32_t j = m->now->count; j-- > 0;) {
		const struct told *told = &m->now->told[j];

		if (told->partner != TOLD_NONE)
			high = told->partner;
		else if (told->has_key[kind])
			m->found[j] = take_key(m, told->key[kind], m->low[j], high);
	}
}

/* The number of runs whose last partner is before the given one; the runs are in order. */
static uint32_t
find_length(const struct matching *m, uint32_t lengths, uint32_t partner)
{
	uint32_t length;

	LIST_BOUND(length, i, lengths, m->found[m->last[i]] < partner);
	return length;
}

/* Pairs the longest run of candidates that do not cross. All existing pairs are in each such run,
 * since candidates stay within their gaps. */
static void
pair_run(struct matching *m)
{
	uint32_t lengths = 0, j;

	for (j = 0; j < m->now->count; j++) {
		uint32_t length;

		if (m->found[j] == TOLD_NONE)
			continue;
		length = find_length(m, lengths, m->found[j]);
		m->previous[j] = length > 0 ? m->last[length - 1] : TOLD_NONE;
		m->last[length] = j;
		lengths = length == lengths ? lengths + 1 : lengths;
	}
	j = lengths > 0 ? m->last[lengths - 1] : TOLD_NONE;
	for (; j != TOLD_NONE; j = m->previous[j]) {
		m->now->told[j].partner = m->found[j];
		m->was->told[m->found[j]].partner = j;
	}
}

/* Pairs the common beginning, so that a log that only grew has only added messages, whatever these
 * repeat. */
static void
pair_start(struct told_all *was, struct told_all *now)
{
	for (uint32_t i = 0; i < was->count && i < now->count; i++) {
		if (!hash_eq(was->told[i].key[TOLD_TEXTS], now->told[i].key[TOLD_TEXTS]))
			return;
		was->told[i].partner = now->told[i].partner = i;
	}
}

void
match_find(struct told_all *was, struct told_all *now)
{
	struct matching m = {.was = was, .now = now};
	struct arena arena = ARENA_INIT;

	pair_start(was, now);
	m.earlier = arena_zalloc(&arena, was->count, sizeof *m.earlier);
	m.low = arena_zalloc(&arena, now->count, sizeof *m.low);
	m.found = arena_zalloc(&arena, now->count, sizeof *m.found);
	m.last = arena_zalloc(&arena, now->count, sizeof *m.last);
	m.previous = arena_zalloc(&arena, now->count, sizeof *m.previous);
	for (unsigned kind = 0; kind < TOLD_KEYS; kind++) {
		open_keys(&m, kind);
		find_candidates(&m, kind);
		pair_run(&m);
		map_free(&m.newest);
		m.newest = (struct map)MAP_INIT;
	}
	arena_free(&arena);
}

static enum match_change
change_of(const struct told *was, const struct told *now)
{
	if (was == NULL || now == NULL)
		return was == NULL ? MATCH_ADDED : MATCH_GONE;
	if (hash_eq(was->key[TOLD_TEXTS], now->key[TOLD_TEXTS]))
		return MATCH_KEPT;
	return now->tokens < was->tokens ? MATCH_CUT : MATCH_CHANGED;
}

static void
add_row(struct match_rows *rows, const struct told *was, const struct told *now)
{
	struct match_row row = {change_of(was, now), was, now};

	/* What was added at the end is only more. */
	rows->differs |= row.change != MATCH_KEPT && row.change != MATCH_ADDED;
	rows->differs |= was != NULL && rows->sum[MATCH_ADDED] > 0;
	rows->sum[row.change]++;
	LIST_ADD(rows->row, rows->count, rows->cap, row);
}

void
match_list(struct match_rows *rows, const struct told_all *was, const struct told_all *now)
{
	uint32_t i = 0, j = 0;

	while (i < was->count || j < now->count) {
		if (i < was->count && was->told[i].partner == TOLD_NONE)
			add_row(rows, &was->told[i++], NULL);
		else if (j < now->count && now->told[j].partner == TOLD_NONE)
			add_row(rows, NULL, &now->told[j++]);
		else
			add_row(rows, &was->told[i++], &now->told[j++]);
	}
}

struct str
match_word(enum match_change change)
{
	static const struct str words[MATCH_CHANGES] = {[MATCH_KEPT] = STR_INIT("kept"),
	    [MATCH_CUT] = STR_INIT("cut"),
	    [MATCH_CHANGED] = STR_INIT("changed"),
	    [MATCH_GONE] = STR_INIT("gone"),
	    [MATCH_ADDED] = STR_INIT("added")};

	return words[change];
}

void
match_add_sums(const struct match_rows *rows, struct str joint, struct buf *text)
{
	const size_t from = text->len;

	for (unsigned i = 0; i < MATCH_CHANGES; i++) {
		if (rows->sum[i] == 0)
			continue;
		buf_add_str(text, text->len > from ? joint : STR(""));
		buf_add_fmt(text, "%s %.*s", number_grouped(rows->sum[i]).text,
		    STR_ARG(match_word((enum match_change)i)));
	}
}

void
match_add_tokens(const struct told_all *was, const struct told_all *now, struct buf *text)
{
	buf_add_fmt(text, "%s, now ", number_grouped(was->tokens).text);
	buf_add_fmt(text, "%s tokens", number_grouped(now->tokens).text);
}

void
match_free(struct match_rows *rows)
{
	free(rows->row);
}
