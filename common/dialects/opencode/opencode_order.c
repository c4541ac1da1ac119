#include "dialects/opencode/opencode_order.h"

#include <stdlib.h>

#include "json/members.h"
#include "json/string.h"

struct place {
	int64_t created;
	struct str id; /* JSON: ids are plain words */
	struct json_value message;
};

static int
compare(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->created != b->created)
		return a->created < b->created ? -1 : 1;
	return str_compare(a->id, b->id);
}

bool
opencode_order_write(struct json_value messages, struct json_writer *w)
{
	struct buf places = BUF_INIT;
	struct place *list;
	size_t count;
	bool is_told = true, is_moved = false;

	for (struct json_walk walk = json_walk_of(messages); is_told && json_walk_next(&walk);) {
		struct json_value info = json_find(walk.value, STR("info"));
		struct json_value id = json_find(info, STR("id"));
		struct place place = {
		    json_integer(json_find(json_find(info, STR("time")), STR("created")), -1),
		    json_span(id), walk.value};

		is_told = place.created >= 0 && id.type == JSON_STRING;
		if (is_told && places.len > 0)
			is_moved |= compare(places.ptr + places.len - sizeof place, &place) > 0;
		buf_add(&places, &place, sizeof place);
	}
	if (is_told && is_moved) {
		list = (struct place *)(void *)places.ptr;
		count = places.len / sizeof *list;
		qsort(list, count, sizeof *list, compare);
		json_open(w, '[');
		for (size_t i = 0; i < count; i++)
			json_put_value(w, list[i].message);
		json_close(w);
	}
	buf_free(&places);
	return is_told && is_moved;
}
