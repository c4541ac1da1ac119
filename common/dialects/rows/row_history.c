#include "dialects/rows/row_history.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"

void
row_history_init(struct row_history *history, struct joiner *joiner, bool is_tree)
{
	*history = (struct row_history){
	    .joiner = joiner, .arena = ARENA_INIT, .by_id = MAP_INIT, .is_tree = is_tree};
}

void
row_history_begin(struct row_history *history)
{
	joiner_finish(history->joiner);
	history->count = 0;
	history->replacing = NULL;
	history->has_turned = false;
	map_free(&history->by_id);
	arena_reset(&history->arena);
}

static uint32_t
find(struct row_history *history, struct json_value id)
{
	uint64_t index = MAP_NONE;

	if (id.type == JSON_STRING || id.type == JSON_NUMBER)
		index = map_get(&history->by_id, record_id_hash(id));
	return index == MAP_NONE ? ROW_HISTORY_NONE : (uint32_t)index;
}

/* Takes the old record's messages out, and lets the new one have its place. */
static void
replace(struct row_history *history, struct row_history_record *record, uint32_t at)
{
	struct row_history_record *old = history->list[at];

	record->place = old->place;
	record->is_turn = old->is_turn;
	record->parent = old->parent;
	joiner_forget(history->joiner, &old->records);
	history->list[at] = history->replacing = record;
	history->has_turned |= at + 1 < history->count;
}

struct row_history_record *
row_history_add(
    struct row_history *history, struct json_value id, struct json_value parent, bool replaces)
{
	uint32_t old = replaces ? find(history, id) : ROW_HISTORY_NONE;
	uint32_t above = find(history, parent);
	struct row_history_record *record;

	if (!history->joiner->hold)
		return NULL;
	record = arena_zalloc(&history->arena, 1, sizeof *record);
	record->parent = history->count - 1; /* of the first record: ROW_HISTORY_NONE */
	history->replacing = NULL;
	if (old != ROW_HISTORY_NONE && !history->list[old]->is_gone) {
		replace(history, record, old);
		return record;
	}
	if (above != ROW_HISTORY_NONE || parent.type == JSON_NULL)
		record->parent = above;
	history->has_turned |= history->is_tree && record->parent != history->count - 1;
	if (replaces && !history->joiner->grows)
		record->place = joiner_mark(history->joiner, NULL);
	if (id.type == JSON_STRING || id.type == JSON_NUMBER)
		map_set(&history->by_id, record_id_hash(id), history->count);
	LIST_ADD(history->list, history->count, history->cap, record);
	return record;
}

struct joined *
row_history_first(const struct row_history_record *record)
{
	struct joined *joined = record->records.last;

	while (joined != NULL && joined->older != NULL)
		joined = joined->older;
	return joined;
}

void
row_history_settle(struct row_history *history)
{
	struct joined *before, *joined, *newer;

	if (history->replacing == NULL || history->joiner->grows)
		return;
	joined = row_history_first(history->replacing);
	before = history->replacing->place->next;
	/* If no record came in between, they are already after the mark. */
	for (; joined != NULL && joined != before; joined = newer) {
		newer = joined->newer;
		joiner_move(history->joiner, joined, before);
	}
	history->replacing = NULL;
}

static uint64_t
drop(struct row_history *history, uint32_t first, uint32_t last)
{
	uint64_t dropped = 0;

	for (uint32_t i = first; i < last && i < history->count; i++) {
		dropped += joiner_forget(history->joiner, &history->list[i]->records);
		history->has_turned |= history->list[i]->is_compaction;
		history->list[i]->is_gone = true;
	}
	return dropped;
}

/* The record with which the last turns, of that number, begin. Records before the first turn
 * stay. */
static uint32_t
find_turn(const struct row_history *history, uint64_t turns)
{
	uint32_t found = history->count;

	for (uint32_t i = history->count; i > 0 && turns > 0; i--) {
		const struct row_history_record *record = history->list[i - 1];

		if (!record->is_turn || record->is_gone)
			continue;
		found = i - 1;
		turns--;
	}
	return found;
}

/* Drops all records but those with which turns begin. */
static uint64_t
keep_turns(struct row_history *history)
{
	uint64_t dropped = 0;

	for (uint32_t i = 0; i < history->count; i++)
		if (!history->list[i]->is_turn)
			dropped += drop(history, i, i + 1);
	return dropped;
}

/* Drops the record with that id, or with each of the ids in a list. */
static uint64_t
drop_each(struct row_history *history, struct json_value ids)
{
	struct json_walk walk = json_walk_of(ids);
	uint64_t dropped = 0;

	if (ids.type != JSON_ARRAY) {
		uint32_t found = find(history, ids);

		return found == ROW_HISTORY_NONE ? 0 : drop(history, found, found + 1);
	}
	while (json_walk_next(&walk))
		dropped += drop_each(history, walk.value);
	return dropped;
}

uint64_t
row_history_apply(struct row_history *history, enum row_history_verb verb, struct json_value at)
{
	uint32_t end = history->count, found = find(history, at);

	switch (verb) {
	case ROW_HISTORY_DROP_ALL:
		return drop(history, 0, end);
	case ROW_HISTORY_DROP_FROM:
		return drop(history, found == ROW_HISTORY_NONE ? 0 : found, end);
	case ROW_HISTORY_DROP_KNOWN:
		return drop(history, found == ROW_HISTORY_NONE ? end : found, end);
	case ROW_HISTORY_DROP_TURNS:
		return drop(history, find_turn(history, json_count(at)), end);
	case ROW_HISTORY_KEEP_TURNS:
		return keep_turns(history);
	case ROW_HISTORY_DROP_EACH:
		return drop_each(history, at);
	default:
		return 0;
	}
}

/* The index of the record with that id, or else of that number; or ROW_HISTORY_NONE. */
static uint32_t
index_of(struct row_history *history, struct json_value id)
{
	uint32_t found = find(history, id);

	if (found == ROW_HISTORY_NONE && id.type == JSON_NUMBER && json_count(id) < history->count)
		found = (uint32_t)json_count(id);
	return found;
}

void
row_history_compact(struct row_history *history, struct row_history_record *record,
    struct json_value keeps, struct json_value asked)
{
	record->is_compaction = true;
	record->kept = index_of(history, keeps);
	record->asked = index_of(history, asked);
	history->has_turned = true;
}

/* Only the path to the newest record is sent. */
static void
look_at_path(struct row_history *history)
{
	uint32_t at = history->count - 1;

	for (uint32_t i = 0; i < history->count; i++)
		history->list[i]->state = history->is_tree ? ROW_HISTORY_LEFT : ROW_HISTORY_SENT;
	/* A parent is before its child, so the walk ends. */
	while (history->is_tree && history->count > 0 && at != ROW_HISTORY_NONE) {
		history->list[at]->state = ROW_HISTORY_SENT;
		at = history->list[at]->parent;
	}
}

static bool
is_summary(const struct row_history_record *record)
{
	return record->is_compaction && !record->is_gone && record->state == ROW_HISTORY_SENT;
}

/* Of the sent records, the newest compaction drops older compactions, and all before the first that
 * it keeps. */
static void
look_at_compaction(struct row_history *history)
{
	struct row_history_record **list = history->list;
	uint32_t at = history->count;

	while (at > 0 && !is_summary(list[at - 1]))
		at--;
	history->summary = history->question = history->kept = ROW_HISTORY_NONE;
	if (at == 0)
		return;
	history->summary = --at;
	history->kept = list[at]->kept;
	history->question = list[at]->asked < at ? list[at]->asked : at;
	for (uint32_t i = 0; i < history->question; i++)
		if ((i < history->kept || list[i]->is_compaction) &&
		    list[i]->state == ROW_HISTORY_SENT)
			list[i]->state = ROW_HISTORY_COMPACTED;
}

void
row_history_look(struct row_history *history)
{
	look_at_path(history);
	look_at_compaction(history);
	history->has_turned = false;
}

/* Moves the messages of the records from first to last to before another message. */
static void
move(struct row_history *history, uint32_t first, uint32_t last, struct joined *before)
{
	for (uint32_t i = first; i <= last; i++)
		for (struct joined *joined = row_history_first(history->list[i]); joined != NULL;
		     joined = joined->newer)
			joiner_move(history->joiner, joined, before);
}

void
row_history_finish(struct row_history *history, uint64_t *left, uint64_t *compacted)
{
	struct joined *before = NULL;

	row_history_look(history);
	for (uint32_t i = 0; i < history->count; i++) {
		if (history->list[i]->state == ROW_HISTORY_LEFT)
			*left += drop(history, i, i + 1);
		else if (history->list[i]->state == ROW_HISTORY_COMPACTED)
			*compacted += drop(history, i, i + 1);
	}
	if (history->summary == ROW_HISTORY_NONE)
		return;
	for (uint32_t i = history->kept; i < history->question && before == NULL; i++)
		before = row_history_first(history->list[i]);
	if (before != NULL)
		move(history, history->question, history->summary, before);
}

void
row_history_free(struct row_history *history)
{
	free(history->list);
	map_free(&history->by_id);
	arena_free(&history->arena);
}
