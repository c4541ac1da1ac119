#include "dialects/into/into_ids.h"

#include <stdio.h>

#include "base/list.h"
#include "dialects/into/into_new.h"

/* The first unit of the id, or NULL. */
static struct into_unit *
find_unit(const struct into_ids *ids, struct json_value id)
{
	uint64_t unit =
	    id.type == JSON_STRING ? map_get(&ids->unit, hash_label(json_span(id))) : MAP_NONE;

	return unit == MAP_NONE ? NULL : &ids->into->units.unit[unit];
}

/* The same, if it is gone. */
static struct into_unit *
find_gone(const struct into_ids *ids, struct json_value id)
{
	struct into_unit *unit = find_unit(ids, id);

	return unit != NULL && unit->is_gone ? unit : NULL;
}

/* Notes for each record the compaction that keeps it. */
static void
note_keepers(struct into_ids *ids)
{
	const struct into *into = ids->into;

	for (uint32_t i = 0; i < into->units.count; i++) {
		struct session_links links =
		    session_links_find(&into->units.paths, into->units.unit[i].value);
		struct into_unit *unit;

		for (size_t j = 0; j < 2; j++)
			for (struct json_walk walk = json_walk_list(links.kept[j]);
			     json_walk_next(&walk);)
				if ((unit = find_unit(ids, walk.value)) != NULL)
					unit->keeper = i + 1;
	}
}

void
into_ids_read(struct into_ids *ids, struct into *into)
{
	*ids = (struct into_ids){.into = into};
	for (uint32_t i = into->units.count, next = INTO_NONE; i-- > 0;) {
		struct into_unit *unit = &into->units.unit[i];

		unit->next = next;
		if (unit->id.type != JSON_STRING)
			continue;
		map_set(&ids->unit, hash_label(json_span(unit->id)), i);
		if (!unit->is_gone)
			next = i;
	}
	note_keepers(ids);
}

/* The id that replaces the id of a removed record: that of the nearest record before it that stays.
 * A hostile chain may be a ring. */
static struct str
find_heir(const struct into_ids *ids, struct json_value id)
{
	const char *parent = ids->into->format->parent;
	struct into_unit *first = find_gone(ids, id), *unit = first, *next;
	struct str heir = STR("null");

	if (first != NULL && ids->into->format->has_asked)
		return ids->asked.len > 0 ? ids->asked : json_span(id);
	for (; unit != NULL && unit->heir.ptr == NULL; unit = find_gone(ids, id)) {
		unit->heir = heir;
		id = session_layout_at(unit->value, parent);
	}
	if (unit != NULL)
		heir = unit->heir;
	else if (id.type == JSON_STRING)
		heir = json_span(id);
	for (unit = first; unit != NULL && unit->heir.ptr != heir.ptr; unit = next) {
		next = find_gone(ids, session_layout_at(unit->value, parent));
		unit->heir = heir;
	}
	return heir;
}

/* The id of the last record in the batches of the same agent before this batch, if no record of
 * that agent follows it; or empty. */
static struct str
find_last(const struct into_ids *ids, const struct into_new_batch *batch)
{
	struct str last = STR("");

	while (last.len == 0 && batch->waits > 0) {
		batch = into_new_at(ids->into, batch->waits - 1);
		last = batch->last;
	}
	return last;
}

struct str
into_ids_before(
    const struct into_ids *ids, const struct into_new_batch *batch, struct json_value last)
{
	const struct into_units *units = &ids->into->units;
	const struct into_unit *link = batch->link != INTO_NONE ? &units->unit[batch->link] : NULL;
	bool is_last = link == NULL && batch->agent.len > 0;
	struct str before = is_last ? find_last(ids, batch) : STR("");
	struct json_value parent = last;

	if (link != NULL)
		before = link->chained;
	if (before.len > 0)
		return before;
	if (link != NULL)
		parent = session_layout_at(link->value, ids->into->format->parent);
	else if (is_last && batch->kin != INTO_NONE)
		parent = units->unit[batch->kin].id;
	return find_heir(ids, parent.type == JSON_ABSENT ? last : parent);
}

/* The id of the first new record before the unit, or absent. */
static struct json_value
first_new(const struct into *into, const struct into_unit *unit)
{
	uint32_t number = (uint32_t)(unit - into->units.unit), i = unit->batch - 1;

	for (; unit->batch > 0 && i < into_new_count(into) && into_new_at(into, i)->unit == number;
	     i++)
		if (into_new_at(into, i)->text.len > 0)
			return session_layout_at(
			    json_value_at(into_new_at(into, i)->text.ptr), into->format->id);
	return (struct json_value){.type = JSON_ABSENT};
}

/* The first record kept by a compaction that still exists: the record of the id, or one after it
 * and before the compaction, or a new record before that. If there is none, an id that no record
 * has, so that nothing is kept. */
static struct str
find_kept(const struct into_ids *ids, struct json_value id, uint32_t compaction)
{
	const struct into *into = ids->into;
	const struct into_unit *unit = find_unit(ids, id);

	if (unit != NULL && unit->is_gone)
		unit = unit->next < compaction ? &into->units.unit[unit->next] : NULL;
	if (unit == NULL)
		return json_span(id);
	id = first_new(into, unit);
	return json_span(id.type == JSON_STRING ? id : unit->id);
}

static void
add_id(struct buf *to, struct json_value id)
{
	if (to->ptr[to->len - 1] != '[')
		buf_add_char(to, ',');
	buf_add_str(to, json_span(id));
}

/* Appends the ids of the new records before the unit. */
static void
add_new(const struct into *into, const struct into_unit *unit, struct buf *to)
{
	uint32_t at = (uint32_t)(unit - into->units.unit);

	for (uint32_t i = unit->batch - 1;
	     i < into_new_count(into) && into_new_at(into, i)->unit == at; i++)
		for (struct str rest = into_new_at(into, i)->text; rest.len > 0;) {
			struct json_value record = json_value_at(rest.ptr);

			add_id(to, session_layout_at(record, into->format->id));
			rest = str_rest(rest, record.len + (record.len < rest.len));
		}
}

/* Appends the list of records that the compaction, a unit, keeps: those that still exist, with the
 * new records before each, but each only once in the whole file. Returns whether the list has
 * changed. */
static bool
add_list(const struct into_ids *ids, struct json_value list, uint32_t compaction, struct buf *to)
{
	bool is_changed = false;

	buf_add_char(to, '[');
	for (struct json_walk walk = json_walk_list(list); json_walk_next(&walk);) {
		struct into_unit *unit = find_unit(ids, walk.value);

		if (unit != NULL && unit->batch > 0 && unit->keeper == compaction + 1 &&
		    unit->listed != list.ptr) {
			add_new(ids->into, unit, to);
			unit->listed = list.ptr;
			is_changed = true;
		}
		if (unit == NULL || !unit->is_gone)
			add_id(to, walk.value);
		else
			is_changed = true;
	}
	buf_add_char(to, ']');
	return is_changed;
}

/* Replaces the value, unless it is the same. */
static void
replace(struct json_edit *edit, struct json_value value, struct str with)
{
	if (!str_eq(json_span(value), with))
		json_edit_replace(edit, json_span(value), json_edit_keep(edit, with));
}

/* The number of the unit that is the record with that index, or INTO_NONE. */
static uint32_t
find_index(const struct into_units *units, struct json_value index)
{
	int64_t wanted = json_integer(index, -1);
	uint32_t after;

	if (wanted < 0)
		return INTO_NONE;
	LIST_BOUND(after, i, units->count, units->unit[i].index <= wanted);
	return after > 0 ? after - 1 : 0;
}

/* Edits the index of the first record that a compaction keeps: if that is gone, of the next one. */
static void
edit_index(
    const struct into_ids *ids, struct json_value index, uint32_t number, struct json_edit *edit)
{
	const struct into_units *units = &ids->into->units;
	uint32_t kept = find_index(units, index);
	char text[24];

	if (kept >= number)
		return;
	snprintf(text, sizeof text, "%ju", (uintmax_t)units->unit[kept].place);
	replace(edit, index, str_from(text));
}

void
into_ids_edit(const struct into_ids *ids, uint32_t number, struct json_edit *edit)
{
	const struct session_layout *format = ids->into->format;
	const struct into_unit *unit = &ids->into->units.unit[number];
	const struct into_unit *first = find_unit(ids, unit->id);
	/* A record that repeats another one follows the same record as that one. */
	struct str chained = unit->is_made || first == NULL ? unit->chained : first->chained;
	const struct session_links links = session_links_find(&ids->into->units.paths, unit->value);
	struct buf list = BUF_INIT;

	if (chained.len > 0 && !format->has_asked && ids->into->units.has_parents &&
	    links.parent.type != JSON_ABSENT)
		replace(edit, links.parent, chained);
	else if (links.parent.type == JSON_STRING)
		replace(edit, links.parent, find_heir(ids, links.parent));
	for (size_t i = 0; i < INTO_REFERS; i++)
		if (links.refers[i].type == JSON_STRING)
			replace(edit, links.refers[i], find_heir(ids, links.refers[i]));
	if (format->index != NULL)
		edit_index(ids, session_layout_at(unit->value, format->index), number, edit);
	for (size_t i = 0; i < 2; i++) {
		if (links.keeps[i].type == JSON_STRING)
			replace(edit, links.keeps[i], find_kept(ids, links.keeps[i], number));
		buf_reset(&list);
		if (add_list(ids, links.kept[i], number, &list))
			replace(edit, links.kept[i], buf_str(&list));
	}
	buf_free(&list);
}

void
into_ids_free(struct into_ids *ids)
{
	map_free(&ids->unit);
}
