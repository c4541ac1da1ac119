#include "dialects/into/into_units.h"

#include <stdlib.h>

#include "base/hash/map.h"
#include "base/list.h"
#include "json/json_hold.h"
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
	struct json_value parent = session_layout_at(value, units->format->parent);

	unit.id = session_layout_at(value, units->format->id);
	if (unit.id.type != JSON_STRING)
		unit.id.type = JSON_ABSENT;
	units->begins += parent.type != JSON_ABSENT && parent.type != JSON_STRING;
	units->has_parents |= parent.type == JSON_STRING;
	units->records += value.type == JSON_OBJECT;
	units->has_ids |=
	    unit.id.type == JSON_STRING && !session_layout_is_head(units->format, value);
	LIST_ADD(units->unit, units->count, units->cap, unit);
	return &units->unit[units->count - 1];
}

static void
add_line(struct into_units *units, struct str whole, struct json_value value)
{
	struct json_value list = {.type = JSON_ABSENT};
	uint32_t line = units->count;

	if (value.type != JSON_ABSENT)
		list = session_layout_list(units->format, value);
	add(units, whole, value, INTO_NONE)->list = list;
	for (struct json_walk walk = json_walk_list(list); json_walk_next(&walk);) {
		add(units, json_span(walk.value), walk.value, line);
		units->unit[line].elements++;
	}
}

/* Scans the lines, and adds the value of each to values, absent for a line that is no JSON. If all
 * are JSON, the scanned text is held (json/json_hold.h) for reading the values. */
static void
scan_lines(struct into_units *units, struct str text, bool is_document, struct buf *values)
{
	static const struct json_value absent = {.type = JSON_ABSENT};
	bool has_bad = false;

	while (text.len > 0) {
		struct into_unit line = {.whole = session_layout_take(&text, is_document)};
		struct str own = into_units_text(&line);
		struct json_scan scan;
		bool is_read = own.len > 0 && json_scan(own, NULL, &scan);

		has_bad |= !is_read && str_trim(own).len > 0;
		buf_add(values, is_read ? &scan.value : &absent, sizeof absent);
	}
	units->is_held = !has_bad && json_hold(units->text);
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

/* Takes back the record of the id, with all after it. */
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
	struct buf values = BUF_INIT;
	const struct json_value *value;

	*units = (struct into_units){.format = format, .text = text};
	session_links_init(&units->paths, format);
	scan_lines(units, text, is_document, &values);
	for (value = (const struct json_value *)(const void *)values.ptr; text.len > 0; value++) {
		struct str whole = session_layout_take(&text, is_document);

		add_line(units, whole, *value);
		if (text.ptr <= appended)
			units->appended = units->count;
	}
	buf_free(&values);
	units->has_parents |= units->begins == 1;
	if (is_document)
		units->appended = units->count;
	if (format->replaces)
		find_first(units);
}

uint32_t
into_units_at(const struct into_units *units, const char *ptr)
{
	uint32_t after, unit;

	LIST_BOUND(after, i, units->count, units->unit[i].whole.ptr <= ptr);
	unit = after > 0 ? after - 1 : 0;
	if (units->unit[unit].line != INTO_NONE &&
	    ptr >= units->unit[unit].whole.ptr + units->unit[unit].whole.len)
		unit = units->unit[unit].line;
	return unit;
}

void
into_units_free(struct into_units *units)
{
	if (units->is_held)
		json_release();
	free(units->unit);
	session_links_free(&units->paths);
}
