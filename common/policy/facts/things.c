#include "policy/facts/things.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"
#include "json/members.h"

void
things_free(struct things *things)
{
	free(things->item);
	map_free(&things->at);
	arena_free(&things->arena);
	buf_free(&things->scratch);
}

static size_t
written_len(struct things *things, struct str item)
{
	if (things->is_json)
		return item.len;
	buf_reset(&things->scratch);
	json_write_string(&things->scratch, item);
	return things->scratch.len;
}

bool
things_has(const struct things *things, struct str item)
{
	return map_get(&things->at, hash_label(item)) != MAP_NONE;
}

void
things_remove(struct things *things, uint32_t item)
{
	things->json_len -= written_len(things, things->item[item]) + (things->count > 1);
	things->count--;
	map_remove(&things->at, hash_label(things->item[item]));
	things->item[item] = STR("");
}

void
things_take_out(struct things *things, struct str thing)
{
	uint64_t item = map_get(&things->at, hash_label(thing));

	if (item != MAP_NONE)
		things_remove(things, (uint32_t)item);
}

void
things_bound(struct things *things, uint32_t most)
{
	for (uint32_t i = 0; i < things->used && things->count > most; i++)
		if (things->item[i].len > 0)
			things_remove(things, i);
}

/* Closes the gaps once they are more than half of a long list. */
static void
close_gaps(struct things *things)
{
	enum { LEAST = 64 };
	uint32_t used = things->used;

	if (used < LEAST || used / 2 < things->count)
		return;
	things->used = 0;
	for (uint32_t i = 0; i < used; i++)
		if (things->item[i].len > 0) {
			map_set(&things->at, hash_label(things->item[i]), things->used);
			things->item[things->used++] = things->item[i];
		}
}

void
things_add(struct things *things, struct str item)
{
	uint64_t before;

	if (item.len == 0)
		return;
	close_gaps(things);
	before = map_set(&things->at, hash_label(item), things->used);
	if (before == MAP_NONE) {
		things->json_len += written_len(things, item) + (things->count > 0);
		things->count++;
		item = arena_copy_padded(&things->arena, item);
	} else {
		item = things->item[before];
		things->item[before] = STR("");
	}
	LIST_ADD(things->item, things->used, things->cap, item);
}

void
things_read(struct things *things, struct json_value array)
{
	struct buf text = BUF_INIT;

	for (struct json_walk walk = json_walk_list(array); json_walk_next(&walk);) {
		if (things->is_json)
			things_add(things, json_span(walk.value));
		else if (walk.value.type == JSON_STRING)
			things_add(things, json_text(walk.value, &text));
	}
	buf_free(&text);
}

void
things_write(const struct things *things, struct json_writer *w)
{
	json_open(w, '[');
	for (uint32_t i = 0; i < things->used; i++) {
		if (things->item[i].len == 0)
			continue;
		if (things->is_json)
			json_put_raw(w, things->item[i]);
		else
			json_put_string(w, things->item[i]);
	}
	json_close(w);
}
