#include "dialects/into/into_history.h"

#include "data/message/message.h"
#include "dialects/unread.h"
#include "json/string.h"

bool
into_history_is_summary(const struct into *into, const struct into_own *own)
{
	const char *begun = own->pieces > 0 ? into->piece[own->piece].ptr : NULL;
	const struct into_unit *list = into->units.unit;
	uint32_t unit;

	if (begun == NULL || !own->is_summary)
		return false;
	unit = into_units_at(&into->units, begun);
	return !(into->format->inner != NULL && list[unit].line != INTO_NONE) &&
	    !(unit > 0 &&
		json_is(
		    session_layout_at(list[unit - 1].value, "subtype"), STR("compact_boundary")));
}

/* Whether the record speaks, and is not read. */
static bool
is_unread(const struct into *into, const struct into_unit *unit)
{
	return !unit->is_made && unit->value.type == JSON_OBJECT && unread_speaks(unit->value) &&
	    !session_layout_is_head(into->format, unit->value);
}

/* Without the summary of the agent's own compaction, the records that it took out would come back.
 * So unread records before it that are part of the conversation are dropped with it, and records
 * that take some of these back. */
static void
drop_compacted(struct into *into)
{
	uint32_t end = 0;

	for (uint32_t i = 0; i < into->own_count; i++) {
		const struct into_own *own = &into->own[i];
		uint32_t unit;

		if (own->fate == INTO_SAME || !into_history_is_summary(into, own))
			continue;
		unit = into_units_at(&into->units, into->piece[own->piece].ptr);
		if (into->units.unit[unit].is_gone && unit > end)
			end = unit;
	}
	for (uint32_t i = 0; i < end; i++) {
		struct into_unit *unit = &into->units.unit[i];

		unit->is_gone |= unit->elements == 0 &&
		    (is_unread(into, unit) || session_layout_takes_back(into->format, unit->value));
	}
}

/* Without the last records of the conversation, the agent would go on with a branch that the user
 * had left. So records of branches after the last record that stays are dropped, too. */
static void
drop_branches(struct into *into)
{
	struct into_unit *list = into->units.unit;
	uint32_t end = into->units.appended, kept;

	while (end > 0 && !list[end - 1].is_made)
		end--;
	for (kept = end; kept > 0 && (!list[kept - 1].is_made || list[kept - 1].is_gone);)
		kept--;
	for (uint32_t i = kept; i < end; i++)
		list[i].is_gone |= is_unread(into, &list[i]);
}

/* A changed record that replaces earlier ones is written at their place, so that none of these
 * comes back, and the order stays. */
static void
place_replaced(struct into *into)
{
	struct into_unit *list = into->units.unit;

	for (uint32_t i = 0; i < into->units.count; i++)
		if (list[i].first != i && list[i].is_made &&
		    (list[i].is_gone || list[i].is_changed)) {
			list[list[i].first].shown = i;
			list[list[i].first].is_changed = true;
		}
	for (uint32_t i = 0; i < into->units.count; i++) {
		const struct into_unit *first = &list[list[i].first];

		if (first->is_changed && first->shown != first->first)
			list[i].is_gone = list[i].first != i || list[first->shown].is_gone;
	}
}

/* A line that repeats a removed or changed record is dropped, since it would otherwise be read in
 * its place. */
static void
drop_repeated(struct into_units *units)
{
	struct map other = MAP_INIT;

	for (uint32_t i = 0; i < units->count; i++) {
		struct into_unit *unit = &units->unit[i];

		if (unit->id.type != JSON_STRING)
			continue;
		if (unit->is_gone || unit->is_changed)
			map_set(&other, hash_label(json_span(unit->id)), 1);
		else if (!unit->is_made)
			unit->is_gone =
			    map_get(&other, hash_label(json_span(unit->id))) != MAP_NONE;
	}
	map_free(&other);
}

void
into_history_take(struct into *into)
{
	drop_compacted(into);
	if (into->format->parent != NULL && !into->format->has_asked)
		drop_branches(into);
	if (into->format->replaces)
		place_replaced(into);
	else
		drop_repeated(&into->units);
}
