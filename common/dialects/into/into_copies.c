#include "dialects/into/into_copies.h"

#include "data/message/message.h"
#include "dialects/into/into_told.h"
#include "json/string.h"

/* What is a name, of a record or the session or a call, repeats nothing. */
static void
forget(struct into *into, struct json_value name)
{
	if (name.type == JSON_STRING)
		map_remove(&into->gone, hash_label(json_span(name)));
}

static void
add_call(struct into_copies *copies, struct into *into, struct json_value id)
{
	if (id.type == JSON_STRING)
		map_set(&copies->calls, hash_label(json_span(id)), 1);
	forget(into, id);
}

/* Forgets the names that the record has for itself and others. */
static void
forget_links(struct into *into, const struct into_unit *unit)
{
	const struct session_links links = session_links_find(&into->units.paths, unit->value);

	forget(into, unit->id);
	for (size_t i = 0; i < INTO_REFERS; i++)
		forget(into, links.refers[i]);
	for (size_t i = 0; i < 2; i++)
		forget(into, links.keeps[i]);
}

void
into_copies_read(struct into_copies *copies, struct into *into)
{
	copies->into = into;
	copies->calls = (struct map)MAP_INIT;
	for (uint32_t i = 0; i < into->own_count; i++) {
		forget(into, into->own[i].session_id);
		if (into->own[i].fate == INTO_SAME)
			continue;
		add_call(copies, into, into->own[i].call_id);
		for (struct json_walk walk = json_walk_list(into->own[i].calls);
		     json_walk_next(&walk);)
			add_call(copies, into, json_find(walk.value, STR("id")));
	}
	for (uint32_t i = 0; into->gone.count > 0 && i < into->units.count; i++)
		forget_links(into, &into->units.unit[i]);
}

/* The new text, or NULL: the text is gone. */
static const struct str *
become(const struct into_copies *copies, struct json_value text)
{
	return (const struct str *)(uintptr_t)map_get(
	    &copies->into->gone, hash_label(json_span(text)));
}

/* The next string of the record that repeats a text which has changed, or absent. */
static struct json_value
next_copy(struct into_copies *copies)
{
	struct json_leaves *leaves = &copies->leaves;
	enum json_leaf kind;

	while ((kind = json_leaves_next(leaves)) != JSON_LEAF_END)
		if (kind == JSON_LEAF_STRING && leaves->value.len >= INTO_COPY_MIN &&
		    map_get(&copies->into->gone, hash_label(json_span(leaves->value))) != MAP_NONE)
			return leaves->value;
	return (struct json_value){.type = JSON_ABSENT};
}

/* Whether the line makes no message, so that it may repeat texts of messages. Begins the walk
 * through its strings. */
static bool
may_repeat(struct into_copies *copies, const struct into_unit *unit)
{
	if (unit->is_made || unit->elements > 0 || unit->value.type != JSON_OBJECT ||
	    copies->into->gone.count == 0 ||
	    session_layout_is_head(copies->into->format, unit->value))
		return false;
	json_leaves_open(&copies->leaves, json_span(unit->value));
	return true;
}

bool
into_copies_is_event(struct into_copies *copies, const struct into_unit *unit)
{
	const struct session_layout *format = copies->into->format;
	struct json_value id = session_layout_at(unit->value, format->call);
	struct into_told told;

	if (!session_layout_is_event(format, unit->value))
		return false;
	if (id.type == JSON_STRING &&
	    map_get(&copies->calls, hash_label(json_span(id))) != MAP_NONE)
		return true;
	told = into_told_find(copies->into, unit);
	if (told.text.type == JSON_STRING)
		return told.with.len == 0;
	if (!may_repeat(copies, unit))
		return false;
	for (struct json_value copy; (copy = next_copy(copies)).type != JSON_ABSENT;)
		if (become(copies, copy) == NULL)
			return true;
	return false;
}

void
into_copies_edit(struct into_copies *copies, const struct into_unit *unit, struct json_edit *edit)
{
	struct json_value parent = session_layout_at(unit->value, copies->into->format->parent),
			  copy;
	struct into_told told = {.text = {.type = JSON_ABSENT}};

	if (session_layout_is_event(copies->into->format, unit->value))
		told = into_told_find(copies->into, unit);
	if (told.text.type == JSON_STRING)
		json_edit_replace(edit, json_span(told.text), told.with);
	if (may_repeat(copies, unit))
		while ((copy = next_copy(copies)).type != JSON_ABSENT)
			if (copy.ptr != parent.ptr)
				json_edit_replace(edit, json_span(copy),
				    become(copies, copy) != NULL ? *become(copies, copy) :
								   STR("\"\""));
}

void
into_copies_free(struct into_copies *copies)
{
	map_free(&copies->calls);
}
