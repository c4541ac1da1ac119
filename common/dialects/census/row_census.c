#include "dialects/census/row_census.h"

#include "dialects/census/census.h"

/* The rows that read one value: one row, and those of other tables to which it hands the value as a
 * whole. */
enum { PLACES_MAX = 8 };

struct look {
	struct row_reader *reader;
	struct row_place *place[PLACES_MAX]; /* the first is the caller's, … */
	struct row_place other[PLACES_MAX];  /* … and the next ones are here */
	unsigned count;
	struct buf path; /* to the object at hand, with a '.' after each name */
};

/* Whether the members are not searched: those of a value that is skipped or kept as it is, or that
 * a function alone reads, if its row does not list them. */
static bool
is_closed(const struct row_plan *plan)
{
	enum row_make make = plan->row->make;

	return make == ROW_SKIP || make == ROW_PART || (make == ROW_ALSO && plan->known == NULL);
}

/* Whether the place hands the value to other rows, or the value is its content. */
static bool
is_piece_of(struct row_place *place, struct json_value value)
{
	for (const struct row_plan_piece *piece = place->plan->pieces; piece->at.choices > 0;
	     piece++)
		if (row_place_find(place, &piece->at).ptr == value.ptr)
			return true;
	return false;
}

static bool
is_piece(const struct look *look, struct json_value value)
{
	for (unsigned i = 0; i < look->count; i++)
		if (is_piece_of(look->place[i], value))
			return true;
	return false;
}

static bool
is_known(const struct look *look, struct json_value object, struct json_value name)
{
	for (unsigned i = 0; i < look->count; i++) {
		struct row_place *place = look->place[i];

		if (place->plan->known != NULL &&
		    object.ptr == row_place_find(place, &place->plan->within).ptr &&
		    json_name_index(place->plan->known, name) >= 0)
			return true;
	}
	return object.ptr == look->place[0]->record.ptr &&
	    row_table_has_record(look->reader->dialect, json_inner(name));
}

/* Looks into the object, which each place has at its node of the tree, or, where that is negative,
 * not at all. The recursion ends, since the trees are finite. */
static void
look_into(struct look *look, const int node[PLACES_MAX], struct json_value object)
{
	size_t len = look->path.len;

	for (struct json_walk walk = json_walk_of(object); json_walk_next(&walk);) {
		bool is_reached = false, leads_on = false;
		int below[PLACES_MAX];

		for (unsigned i = 0; i < look->count; i++) {
			const struct member_tree *tree = &look->place[i]->table->tree;

			below[i] = -1;
			if (node[i] >= 0)
				below[i] = member_below(tree, (uint8_t)node[i], walk.name);
			is_reached |= below[i] >= 0;
			leads_on |= below[i] >= 0 && tree->node[below[i]].below != NULL;
		}
		if (!is_reached && !is_known(look, object, walk.name))
			census_add_member(look->reader->reading->census,
			    look->reader->dialect->dialect, look->place[0]->line,
			    buf_str(&look->path), walk.name);
		if (!leads_on || walk.value.type != JSON_OBJECT || is_piece(look, walk.value))
			continue;
		buf_add_str(&look->path, json_inner(walk.name));
		buf_add_char(&look->path, '.');
		look_into(look, below, walk.value);
		look->path.len = len;
	}
}

/* Adds the row of the table that reads the value, too, if there is one. */
static void
add_place(struct look *look, const struct row_table *table)
{
	const struct row_place *first = look->place[0];
	struct row_place *place = &look->other[look->count];

	if (look->count == PLACES_MAX)
		return;
	place->line = first->line;
	place->record = first->record;
	place->value = first->value;
	place->table = table;
	member_view_open(
	    &place->view, &table->tree, &look->reader->variables, place->record, place->value);
	place->plan = row_table_find(table, &place->view);
	if (place->plan == NULL || (place->plan->row->make == ROW_ALSO && is_closed(place->plan)))
		return;
	look->place[look->count++] = place;
}

/* Adds the rows to which others hand the value. */
static void
add_places(struct look *look)
{
	struct json_value value = look->place[0]->value;

	for (unsigned i = 0; i < look->count; i++)
		for (const struct row_plan_piece *piece = look->place[i]->plan->pieces;
		     piece->at.choices > 0; piece++)
			if (piece->inside != NULL &&
			    row_place_find(look->place[i], &piece->at).ptr == value.ptr)
				add_place(look, piece->inside);
}

/* Whether the rows say which members are known: one does more than hand the value on, and none
 * leaves the value as it is. */
static bool
is_told(const struct look *look)
{
	bool is_read = false;

	for (unsigned i = 0; i < look->count; i++) {
		if (is_closed(look->place[i]->plan))
			return false;
		is_read |= look->place[i]->plan->row->make != ROW_INSIDE ||
		    !is_piece_of(look->place[i], look->place[i]->value);
	}
	return is_read;
}

void
row_census_note(struct row_reader *reader, struct row_place *place)
{
	struct census *census = reader->reading->census;
	const int top[PLACES_MAX] = {0};
	struct look look; /* most of the other places stays uninitialized */

	if (census == NULL || place->value.type != JSON_OBJECT ||
	    (place->plan != NULL && reader->counted == place->value.ptr))
		return;
	if (place->value.ptr == place->record.ptr)
		census_see(census, reader->dialect->dialect, place->line, place->record);
	if (place->plan == NULL) {
		if (place->value.ptr != place->record.ptr)
			census_add_part(
			    census, reader->dialect->dialect, place->line, place->value);
		return;
	}
	look.reader = reader;
	look.place[0] = place;
	look.count = 1;
	look.path = (struct buf)BUF_INIT;
	add_places(&look);
	if (!is_told(&look))
		return;
	reader->counted = place->value.ptr;
	census_open(census, place->value, place->value.ptr == place->record.ptr);
	look_into(&look, top, place->value);
	buf_free(&look.path);
}
