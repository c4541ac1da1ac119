#include "policy/facts/places.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"

/* Ranges that come in ascending order, neighbours joined. */
struct range_writer {
	struct json_writer *w; /* NULL: they are only measured */
	struct range open;
	uint64_t runs;
	size_t len; /* commas between them included */
};

void
places_free(struct places *places)
{
	free(places->covered);
	free(places->place);
	free(places->number);
}

static void
add_covered(struct places *places, struct range range)
{
	size_t count = places->covered_count;
	uint64_t after = count == 0 ? 0 : places->covered[count - 1].last;

	if (range.first <= after || range.last < range.first)
		return;
	LIST_ADD(places->covered, places->covered_count, places->covered_cap, range);
}

void
places_read(struct places *places, struct json_value covers)
{
	for (struct json_walk ranges = json_walk_list(covers); json_walk_next(&ranges);) {
		struct range range = {0, 0};
		struct json_walk ends = json_walk_list(ranges.value);

		if (json_walk_next(&ends))
			range.first = (uint64_t)json_integer(ends.value, 0);
		if (range.first > 0 && range.first <= INT64_MAX && json_walk_next(&ends))
			range.last = (uint64_t)json_integer(ends.value, 0);
		if (range.last <= INT64_MAX)
			add_covered(places, range);
	}
}

static size_t
digits(uint64_t number)
{
	size_t count = 1;

	while (number >= 10) {
		number /= 10;
		count++;
	}
	return count;
}

static void
put_range(struct range_writer *ranges)
{
	struct range range = ranges->open;

	if (range.last == 0)
		return;
	ranges->len += digits(range.first) + digits(range.last) + 3 + (ranges->runs > 0);
	ranges->runs++;
	if (ranges->w == NULL)
		return;
	json_open(ranges->w, '[');
	json_put_integer(ranges->w, (int64_t)range.first);
	json_put_integer(ranges->w, (int64_t)range.last);
	json_close(ranges->w);
}

static void
add_range(struct range_writer *ranges, struct range range)
{
	if (ranges->open.last + 1 != range.first || ranges->open.last == 0) {
		put_range(ranges);
		ranges->open = range;
	}
	ranges->open.last = range.last;
}

static void
add_ranges(const struct places *places, struct range_writer *ranges)
{
	size_t covered = 0;

	for (uint32_t i = 0; i < places->count; i++) {
		const struct place *place = &places->place[i];

		while (
		    covered < places->covered_count && places->covered[covered].last < place->place)
			add_range(ranges, places->covered[covered++]);
		if (place->is_dropped)
			add_range(ranges, (struct range){place->place, place->place});
	}
	while (covered < places->covered_count)
		add_range(ranges, places->covered[covered++]);
	put_range(ranges);
}

void
places_begin(struct places *places, const struct session *t, uint32_t artifact)
{
	struct range_writer ranges = {.w = NULL};
	uint64_t last = 0;
	size_t covered = 0;

	places->number = mem_alloc((size_t)t->count + 1, sizeof *places->number);
	for (uint32_t i = 0; i < t->count; i++) {
		struct place place = {.is_behind = false};

		places->number[i] = NONE;
		if (t->entry[i].kind != RECORD_MESSAGE || t->entry[i].outside || i == artifact)
			continue;
		for (;
		     covered < places->covered_count && places->covered[covered].first <= last + 1;
		     covered++) {
			last = places->covered[covered].last;
			place.is_behind = true;
		}
		place.place = ++last;
		LIST_ROOM(places->place, places->count, places->cap);
		places->number[i] = places->count;
		places->place[places->count++] = place;
	}
	add_ranges(places, &ranges);
	places->covered_before = covered;
	places->runs = ranges.runs;
	places->len = ranges.len;
}

uint64_t
places_of(const struct places *places, uint32_t entry)
{
	uint32_t number = places->number[entry];

	return number != NONE ? places->place[number].place : 0;
}

/* A place that is gone is a run of its own, makes a run longer, or joins two runs. */
void
places_drop(struct places *places, uint32_t entry)
{
	uint32_t number = places->number[entry];
	struct place *place = &places->place[number];
	bool has_next = number + 1 < places->count;
	bool joins_left = place->is_behind || (number > 0 && place[-1].is_dropped);
	bool joins_right = has_next ? place[1].is_behind || place[1].is_dropped :
				      places->covered_before < places->covered_count &&
		places->covered[places->covered_before].first == place->place + 1;
	size_t own = digits(place->place);

	place->is_dropped = true;
	if (joins_left && joins_right) {
		places->len -= digits(place->place - 1) + digits(place->place + 1) + 4;
		places->runs--;
	} else if (joins_left) {
		places->len += own - digits(place->place - 1);
	} else if (joins_right) {
		places->len = places->len + own - digits(place->place + 1);
	} else {
		places->len += 2 * own + 3 + (places->runs > 0);
		places->runs++;
	}
}

void
places_write(const struct places *places, struct json_writer *w)
{
	struct range_writer ranges = {.w = w};

	json_open(w, '[');
	add_ranges(places, &ranges);
	json_close(w);
}
