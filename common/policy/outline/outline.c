#include "policy/outline/outline.h"

#include <stdlib.h>

#include "base/list.h"

const struct str outline_mark[OUTLINE_KINDS] = {
    [OUTLINE_USER] = STR_INIT("user: "),
    [OUTLINE_SAID] = STR_INIT("- "),
    [OUTLINE_CALL] = STR_INIT(""),
    [OUTLINE_MORE] = STR_INIT("    "),
    [OUTLINE_ADDED] = STR_INIT("  + "),
    [OUTLINE_REMOVED] = STR_INIT("  - "),
    [OUTLINE_FOUND] = STR_INIT("  = "),
};

struct str
outline_key(struct outline *outline, struct str digits)
{
	struct map *keys = &outline->keys;
	struct hash full = hash_bytes(digits, hash_seed(HASH_ARCHIVE));
	struct hash first = hash_label(str_of(digits.ptr, OUTLINE_KEY_SHORT));

	if (map_set(keys, full, 1) == MAP_NONE)
		map_set(keys, first, map_get(keys, first) == MAP_NONE ? 1 : 2);
	return arena_copy(&outline->arena, digits);
}

static bool
is_short(const struct outline *outline, const struct outline_line *line)
{
	return line->kind >= OUTLINE_MORE && line->text.len <= OUTLINE_SHORT && outline->count > 0;
}

/* The hash by which a line is recognized as already there: a short detail, such as a number, has a
 * meaning only with its call. */
static struct hash
hash_of(const struct outline *outline, const struct outline_line *line, bool with_call)
{
	struct buf whole = BUF_INIT;
	struct hash hash;

	if (!is_short(outline, line))
		return hash_label(line->text);
	if (with_call)
		buf_add_str(&whole, outline->line[outline->head].text);
	buf_add_str(&whole, outline_mark[line->kind]);
	buf_add_str(&whole, line->text);
	hash = hash_label(buf_str(&whole));
	buf_free(&whole);
	return hash;
}

static bool
is_step(enum outline_kind kind)
{
	return kind == OUTLINE_USER || kind == OUTLINE_CALL || kind == OUTLINE_ADDED ||
	    kind == OUTLINE_REMOVED;
}

/* Makes the line the best of those that its call puts in, if it is. */
static void
prefer_added(struct outline *outline, uint32_t index)
{
	struct outline_line *line = &outline->line[index], *head = &outline->line[line->head];
	struct outline_line *best = head->best > 0 ? &outline->line[head->best] : NULL;

	if (line->kind != OUTLINE_ADDED ||
	    (best != NULL && line->value + OUTLINE_BEST_ADDED <= best->value))
		return;
	if (best != NULL)
		best->value -= OUTLINE_BEST_ADDED;
	line->value += OUTLINE_BEST_ADDED;
	head->best = index;
}

bool
outline_add(struct outline *outline, struct outline_line line)
{
	struct hash key;
	uint64_t first;

	line.text = str_trim(line.text);
	if (line.text.len == 0)
		return false;
	/* A repeated line of a file is not news, whoever wrote it first. */
	key = hash_of(outline, &line, !line.is_text);
	if (line.kind == OUTLINE_FOUND && !line.is_text && is_short(outline, &line))
		map_set(&outline->seen, hash_of(outline, &line, false), outline->count);
	first = map_get(&outline->seen, key);
	if (first == MAP_NONE || (first == OUTLINE_KEPT && is_step(line.kind))) {
		first = outline->count;
		map_set(&outline->seen, key, first);
	} else if (line.kind != OUTLINE_CALL) {
		return false;
	} else {
		struct outline_again *before = &outline->line[first].again;

		line.value = before->ended == line.made.outcome ? OUTLINE_AGAIN : OUTLINE_OTHERWISE;
		before->ended = line.made.ended;
	}
	line.again = line.made;
	if (line.kind <= OUTLINE_CALL)
		outline->head = outline->count;
	line.head = outline->head;
	line.behind = outline->behind;
	line.first = (uint32_t)first;
	line.text = line.left = arena_copy(&outline->arena, line.text);
	LIST_ADD(outline->line, outline->count, outline->cap, line);
	prefer_added(outline, outline->count - 1);
	if (line.kind == OUTLINE_MORE)
		outline->line[line.head].is_long = true;
	return true;
}

void
outline_shorten_keys(struct outline *outline)
{
	for (uint32_t i = 0; i < outline->count; i++) {
		struct outline_line *line = &outline->line[i];
		struct str first = str_of(line->key.ptr, OUTLINE_KEY_SHORT);

		line->key_shown = (uint32_t)line->key.len;
		if (line->key.len > OUTLINE_KEY_SHORT &&
		    map_get(&outline->keys, hash_label(first)) == 1)
			line->key_shown = OUTLINE_KEY_SHORT;
	}
}

struct str
outline_shown_key(const struct outline *outline, const struct outline_line *line)
{
	if (line->folded.len > 0)
		line = &outline->line[line->last];
	return str_of(line->key.ptr, line->key_shown);
}

size_t
outline_cost(const struct outline *outline, const struct outline_line *line)
{
	bool is_folded = line->folded.len > 0;
	size_t key = outline_shown_key(outline, line).len;

	return key + (key > 0) + outline_mark[line->kind].len +
	    (line->is_long ? strlen(OUTLINE_CUT) : 0) +
	    (is_folded ? line->folded.len : line->left.len + outline_again_room(&line->again)) + 1;
}

void
outline_free(struct outline *outline)
{
	free(outline->line);
	free(outline->order);
	map_free(&outline->seen);
	map_free(&outline->keys);
	map_free(&outline->paths);
	arena_free(&outline->arena);
}
