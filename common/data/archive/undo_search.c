#include "data/archive/undo_search.h"

#include <stdlib.h>

#include "base/list.h"

/* A part of the lines that passes have written. */
struct written {
	uint32_t newest; /* of those passes */
	uint32_t end;    /* the position after the part */
	uint32_t behind; /* and after the budget records that follow it */
};

/* What the lines are, while one pass is looked for. */
struct search {
	struct undo *undo;
	struct written *part; /* the shortest first */
	uint32_t part_count, part_cap;
	uint32_t *budget; /* the positions of budget records */
	uint32_t budget_count, budget_cap;
	struct map first; /* of each budget record the first position, by its key */
	uint32_t second;  /* see find_second; NONE: not yet known */
};

/* Adds the part that ends after that line, if passes have written it. */
static void
add_part(struct search *search, const struct archive_chain *chain, uint32_t position)
{
	struct archive_key key = archive_chain_key(chain);
	uint32_t newest = archive_index_pass(search->undo->passes->index, &key);

	if (newest == NONE)
		return;
	LIST_ROOM(search->part, search->part_count, search->part_cap);
	search->part[search->part_count++] =
	    (struct written){.newest = newest, .end = position + 1};
}

/* Finds all parts of the first limit lines that passes have written, and the budget records among
 * these lines and directly after them. */
static void
gather(struct search *search, uint32_t limit)
{
	const struct undo *undo = search->undo;
	struct archive_chain chain;
	uint32_t behind = 0;

	archive_chain_init(&chain);
	for (uint32_t i = 0; i < undo->count; i++) {
		const struct undo_line *line = undo_get(undo, i);

		if (i >= limit && !line->is_budget)
			break;
		if (line->is_budget) {
			struct hash hash = archive_key_hash(&undo_get(search->undo, i)->key);

			if (map_get(&search->first, hash) == MAP_NONE)
				map_set(&search->first, hash, i);
			LIST_ADD(search->budget, search->budget_count, search->budget_cap, i);
		}
		if (i >= limit)
			continue;
		if (!line->is_budget)
			archive_chain_add(&chain, &line->key, line->end);
		else if (!archive_chain_add_budget(&chain, &line->key))
			continue;
		add_part(search, &chain, i);
	}
	for (uint32_t i = 0; i < search->part_count; i++) {
		struct written *part = &search->part[i];

		behind = behind < part->end ? part->end : behind;
		while (behind < undo->count && undo_get(undo, behind)->is_budget)
			behind++;
		part->behind = behind;
	}
}

static bool
is_better(const struct candidate *a, const struct candidate *b)
{
	return b == NULL || (a->is_part != b->is_part ? b->is_part : a->item > b->item);
}

/* The next group whose budget record is in the part or directly after it; NULL when there is none.
 * Searches the groups or the budget records, whichever are fewer. */
static struct candidate_group *
next_group(const struct search *search, const struct candidate_stream *stream,
    const struct written *part, uint32_t *next)
{
	struct candidate_group *group;

	if (stream->group_count <= search->budget_count) {
		while (*next < stream->group_count) {
			group = &stream->group[(*next)++];
			if (map_get(&search->first, archive_key_hash(&group->first->wrote)) <
			    part->behind)
				return group;
		}
		return NULL;
	}
	while (*next < search->budget_count && search->budget[*next] < part->behind) {
		uint32_t position = search->budget[(*next)++];

		group = candidates_group(stream, &undo_get(search->undo, position)->key);
		if (group != NULL)
			return group;
	}
	return NULL;
}

/* The key of the line's session; a missing line has none. */
static struct hash
session_of(const struct undo *undo, const struct undo_line *line, enum record_kind *kind)
{
	struct buf text = BUF_INIT, scratch = BUF_INIT;
	struct message message = {.kind = RECORD_BAD};
	struct hash hash = {0, 0};
	struct json_value key = json_absent;

	if (line->entry != NONE)
		entry_parse(&undo->session->entry[line->entry], &message);
	else if (line->item != NONE && archive_index_load(undo->passes->index, line->item, &text))
		message_parse(&message, buf_str(&text));
	*kind = message.kind;
	if (message.kind != RECORD_BAD)
		key = session_key_find(undo->whole->key, &message);
	if (key.type != JSON_ABSENT)
		hash = session_key_hash(key, &scratch);
	buf_free(&text);
	buf_free(&scratch);
	return hash;
}

/* The position of the first line that is of another session than the lines before it. */
static uint32_t
find_second(const struct undo *undo, uint32_t end)
{
	struct hash first, hash;
	enum record_kind kind;
	bool has_first = false;

	for (uint32_t i = 0; i < end; i++) {
		if (undo_get(undo, i)->is_budget)
			continue;
		hash = session_of(undo, undo_get(undo, i), &kind);
		if (!has_first)
			first = hash;
		else if (!hash_eq(first, hash) &&
		    !(undo->whole->is_sorted && (kind == RECORD_BAD || kind == RECORD_BLANK)))
			return i;
		has_first = true;
	}
	return end;
}

/* Whether the pass is left out: all lines of the part are of one session, and the pass is of that
 * session alone, for which later lines may have a newer pass, or of an earlier version. */
static bool
is_left(struct search *search, const struct written *part, const struct candidate *pass)
{
	if (search->undo->whole == NULL || pass->is_whole)
		return false;
	if (search->second == NONE)
		search->second =
		    find_second(search->undo, search->part[search->part_count - 1].end);
	return part->end <= search->second;
}

/* The best pass that wrote the part: one with a budget record there, or else one of lines; NULL
 * when none fits. Marks those that fit as well. */
static const struct candidate *
find_best(struct search *search, const struct written *part)
{
	struct candidates *passes = search->undo->passes;
	struct candidate_stream *stream = candidates_read(passes, part->newest);
	const struct candidate *best = NULL, *other;
	struct candidate_group *group;
	uint32_t next = 0;

	while ((group = next_group(search, stream, part, &next)) != NULL) {
		other = candidates_best(passes, group);
		if (other != NULL && is_better(other, best))
			best = other;
	}
	if (best == NULL) {
		best = candidates_best(passes, &stream->lines);
		if (best == NULL || is_left(search, part, best))
			return NULL;
		candidates_mark(passes, &stream->lines, best->item);
		return best;
	}
	if (is_left(search, part, best))
		return NULL;
	for (next = 0; (group = next_group(search, stream, part, &next)) != NULL;)
		candidates_mark(passes, group, best->item);
	return best;
}

/* The pass to undo among those that wrote a part of the first limit lines, or NONE: one that wrote
 * as many as any. Sets *end to the position after its lines. */
static uint32_t
choose(struct undo *undo, uint32_t limit, uint32_t *end)
{
	struct search search = {.undo = undo, .second = NONE};
	const struct candidate *best = NULL;

	gather(&search, limit);
	for (uint32_t i = search.part_count; i-- > 0 && best == NULL;) {
		best = find_best(&search, &search.part[i]);
		*end = search.part[i].end;
	}
	free(search.part);
	free(search.budget);
	map_free(&search.first);
	return best != NULL ? best->item : NONE;
}

/* The input of a pass begins with the output of the one before, so each search ends where the last
 * pass did. */
void
undo_search_run(struct undo *undo)
{
	uint32_t limit = undo->count, end = 0, item;

	while ((item = choose(undo, limit, &end)) != NONE)
		limit = undo_item(undo, item, end);
}
