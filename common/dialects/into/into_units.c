#include "dialects/into/into_units.h"

#include <stdlib.h>

#include "base/hash/hash.h"
#include "base/list.h"
#include "json/scan.h"
#include "stream/input.h"

static struct into_unit *
add(struct into_units *units, struct str whole, struct json_value value, uint32_t line)
{
	struct into_unit unit = {.whole = whole,
	    .value = value,
	    .line = line,
	    .index = units->records,
	    .first = units->count,
	    .shown = units->count};

	unit.id = session_layout_at(value, units->format->id);
	if (unit.id.type != JSON_STRING)
		unit.id.type = JSON_ABSENT;
	units->has_parents = units->has_parents ||
	    session_layout_at(value, units->format->parent).type != JSON_ABSENT;
	units->records += value.type == JSON_OBJECT;
	units->has_ids |=
	    unit.id.type == JSON_STRING && !session_layout_is_head(units->format, value);
	LIST_ADD(units->unit, units->count, units->cap, unit);
	return &units->unit[units->count - 1];
}

static void
add_line(struct into_units *units, struct str whole, struct str text)
{
	static const struct json_value absent = {.type = JSON_ABSENT};
	struct json_scan scan;
	bool is_read = text.len > 0 && json_scan(text, NULL, &scan);
	struct json_value list = {.type = JSON_ABSENT};
	uint32_t line = units->count;

	if (is_read)
		list = session_layout_list(units->format, scan.value);
	add(units, whole, is_read ? scan.value : absent, INTO_NONE)->list = list;
	for (struct json_walk walk = json_walk_list(list); json_walk_next(&walk);) {
		add(units, json_span(walk.value), walk.value, line);
		units->unit[line].elements++;
	}
}

struct str
into_units_text(const struct into_unit *unit)
{
	struct str text = input_line_text(unit->whole);

	return str_has_prefix(text, input_bom) ? str_rest(text, input_bom.len) : text;
}

/* The records so far that no line with a list, and no rewind, has taken back. */
struct standing {
	struct map ids; /* of an id -> the first unit that has it */
	uint32_t *unit; /* these units, in their order */
	uint32_t count, cap;
};

/* Takes back the record of the id, with all behind it. */
static void
rewind_to(struct standing *standing, const struct into_units *units, struct json_value id)
{
	uint64_t first =
	    id.type == JSON_STRING ? map_get(&standing->ids, hash_label(json_span(id))) : MAP_NONE;

	/* One that is unknown takes all back. */
	if (first == MAP_NONE)
		first = 0;
	while (id.type != JSON_ABSENT && standing->count > 0 &&
	    standing->unit[standing->count - 1] >= first)
		map_remove(&standing->ids,
		    hash_label(json_span(units->unit[standing->unit[--standing->count]].id)));
}

/* Finds the records that take the place of earlier ones. */
static void
find_first(struct into_units *units)
{
	struct standing standing = {.ids = MAP_INIT};

	for (uint32_t i = 0; i < units->count; i++) {
		struct into_unit *unit = &units->unit[i];
		uint64_t first;

		if (unit->list.type == JSON_ARRAY) {
			map_free(&standing.ids);
			standing.count = 0;
		}
		rewind_to(&standing, units, session_layout_at(unit->value, units->format->rewind));
		if (unit->id.type != JSON_STRING)
			continue;
		first = map_get(&standing.ids, hash_label(json_span(unit->id)));
		if (first != MAP_NONE) {
			unit->first = (uint32_t)first;
			continue;
		}
		map_set(&standing.ids, hash_label(json_span(unit->id)), i);
		LIST_ADD(standing.unit, standing.count, standing.cap, i);
	}
	map_free(&standing.ids);
	free(standing.unit);
}

void
into_units_read(struct into_units *units, const struct session_layout *format, struct str text,
    size_t len, bool is_document)
{
	const char *appended = text.ptr + len;
	struct into_unit line;

	*units = (struct into_units){.format = format, .text = text};
	session_links_init(&units->paths, format);
	while (text.len > 0) {
		line.whole = is_document ? text : str_take_whole_line(&text);
		add_line(units, line.whole, into_units_text(&line));
		if (is_document)
			break;
		if (text.ptr <= appended)
			units->appended = units->count;
	}
	if (is_document)
		units->appended = units->count;
	if (format->replaces)
		find_first(units);
}

uint32_t
into_units_at(const struct into_units *units, const char *ptr)
{
	uint32_t low = 0, high = units->count, unit;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (units->unit[middle].whole.ptr <= ptr)
			low = middle;
		else
			high = middle;
	}
	unit = low;
	if (units->unit[unit].line != INTO_NONE &&
	    ptr >= units->unit[unit].whole.ptr + units->unit[unit].whole.len)
		unit = units->unit[unit].line;
	return unit;
}

void
into_units_free(struct into_units *units)
{
	free(units->unit);
	session_links_free(&units->paths);
}
