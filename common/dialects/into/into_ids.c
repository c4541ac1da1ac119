#include "dialects/into/into_ids.h"

#include "dialects/into/into_new.h"

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
}

struct into_unit *
into_ids_find(const struct into_ids *ids, struct json_value id)
{
	uint64_t unit =
	    id.type == JSON_STRING ? map_get(&ids->unit, hash_label(json_span(id))) : MAP_NONE;

	return unit == MAP_NONE ? NULL : &ids->into->units.unit[unit];
}

/* The same, if it is gone. */
static struct into_unit *
find_gone(const struct into_ids *ids, struct json_value id)
{
	struct into_unit *unit = into_ids_find(ids, id);

	return unit != NULL && unit->is_gone ? unit : NULL;
}

/* The id that takes the place of one that is gone: that of the nearest record before which is
 * there. A chain that is hostile may be a ring. */
struct str
into_ids_heir(const struct into_ids *ids, struct json_value id)
{
	const char *parent = ids->into->format->parent;
	struct into_unit *first = find_gone(ids, id), *unit = first, *next;
	struct str heir = STR("null");

	if (first != NULL && ids->into->format->has_asked)
		return ids->asked.len > 0 ? ids->asked : json_span(id);
	for (; unit != NULL && unit->heir.ptr == NULL; unit = find_gone(ids, id)) {
		unit->heir = heir;
		id = into_format_at(unit->value, parent);
	}
	if (unit != NULL)
		heir = unit->heir;
	else if (id.type == JSON_STRING)
		heir = json_span(id);
	for (unit = first; unit != NULL && unit->heir.ptr != heir.ptr; unit = next) {
		next = find_gone(ids, into_format_at(unit->value, parent));
		unit->heir = heir;
	}
	return heir;
}

/* Of what a compaction keeps, the first record that is there: that of the id, or one behind it and
 * before the compaction, or what is new in front of that. Where none is, the id is one that is
 * nowhere, which keeps nothing. */
struct str
into_ids_kept(const struct into_ids *ids, struct json_value id, uint32_t compaction)
{
	const struct into *into = ids->into;
	const struct into_unit *unit = into_ids_find(ids, id);

	if (unit != NULL && unit->is_gone)
		unit = unit->next < compaction ? &into->units.unit[unit->next] : NULL;
	if (unit == NULL)
		return json_span(id);
	if (unit->batch > 0)
		id = into_format_at(
		    json_value_at(into_new_at(into, unit->batch - 1)->text.ptr), into->format->id);
	return json_span(id.type == JSON_STRING && unit->batch > 0 ? id : unit->id);
}

void
into_ids_free(struct into_ids *ids)
{
	map_free(&ids->unit);
}
