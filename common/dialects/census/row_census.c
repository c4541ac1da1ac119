#include "dialects/census/row_census.h"

#include "dialects/census/census.h"

struct look {
	struct row_reader *reader;
	struct row_place *place;
	struct json_value within; /* the object whose members the row knows */
	struct buf path;          /* to the object at hand, with a '.' after each name */
};

/* Whether other rows read the value, or the value is the content. */
static bool
is_piece(const struct look *look, struct json_value value)
{
	for (const struct row_plan_piece *piece = look->place->plan->pieces; piece->at.choices > 0;
	     piece++)
		if (row_place_find(look->place, &piece->at).ptr == value.ptr)
			return true;
	return false;
}

static bool
is_known(const struct look *look, struct json_value object, struct json_value name)
{
	const struct row_plan *plan = look->place->plan;

	if (plan->known != NULL && object.ptr == look->within.ptr &&
	    json_name_index(plan->known, name) >= 0)
		return true;
	return object.ptr == look->place->record.ptr &&
	    row_table_has_record(look->reader->dialect, json_inner(name));
}

/* Looks into the object at the node of the tree. The recursion ends, since the tree is finite. */
static void
look_into(struct look *look, uint8_t node, struct json_value object)
{
	const struct member_tree *tree = &look->place->table->tree;
	size_t len = look->path.len;

	for (struct json_walk walk = json_walk_in(object, look->place->view.spans);
	     json_walk_next(&walk);) {
		int below = member_below(tree, node, walk.name);

		if (below < 0 && !is_known(look, object, walk.name))
			census_add_member(look->reader->reading->census,
			    look->reader->dialect->dialect, look->place->line, buf_str(&look->path),
			    walk.name);
		if (below < 0 || tree->node[below].below == NULL ||
		    walk.value.type != JSON_OBJECT || is_piece(look, walk.value))
			continue;
		buf_add_str(&look->path, json_inner(walk.name));
		buf_add_char(&look->path, '.');
		look_into(look, (uint8_t)below, walk.value);
		look->path.len = len;
	}
}

/* Whether the members are not searched: those of a value that is skipped or kept as it is, or that
 * only a function reads whose row does not name them. */
static bool
is_closed(const struct row_plan *plan)
{
	enum row_make make = plan->row->make;

	return make == ROW_SKIP || make == ROW_PART || (make == ROW_ALSO && plan->known == NULL);
}

void
row_census_note(struct row_reader *reader, struct row_place *place)
{
	struct census *census = reader->reading->census;
	struct look look = {.reader = reader, .place = place};

	if (census == NULL || place->value.type != JSON_OBJECT)
		return;
	if (place->value.ptr == place->record.ptr)
		census_see(census, reader->dialect->dialect, place->line, place->record);
	if (place->plan == NULL) {
		if (place->value.ptr != place->record.ptr)
			census_add_part(
			    census, reader->dialect->dialect, place->line, place->value);
		return;
	}
	if (is_closed(place->plan) || is_piece(&look, place->value))
		return;
	look.within = row_place_find(place, &place->plan->within);
	census_open(census, place->value, place->value.ptr == place->record.ptr);
	look_into(&look, 0, place->value);
	buf_free(&look.path);
}
