#include "dialects/into/into_copies.h"

#include "data/message/message.h"
#include "dialects/into/into_patch.h"
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

/*
 * A text of fewer than INTO_COPY_MIN bytes is not recognized by itself, but only beside the record
 * of its message:
 *
 *     response_item   user, "go on"
 *     event_msg       user_message, "go on"
 */
struct told {
	struct json_value text; /* in the line; absent: it reports no changed text */
	struct str with;        /* the new text, JSON; empty: the text is gone */
};

/* So many records, such as counts of tokens, may be between the line and the record of the
 * message. */
enum { BETWEEN = 2 };

/* The text that the line reports, if it is short, or absent. */
static struct json_value
told_text(const struct session_layout *format, struct json_value line)
{
	struct json_value text = {.type = JSON_ABSENT};

	for (size_t i = 0; i < INTO_TOLD && text.type == JSON_ABSENT; i++)
		text = session_layout_at(line, format->told[i]);
	if (text.type != JSON_STRING || text.len >= INTO_COPY_MIN)
		text.type = JSON_ABSENT;
	return text;
}

/* The string of the record that is spelled as the text, or absent. */
static struct json_value
find_said(const struct into_unit *unit, const char *name, struct json_value text)
{
	struct json_leaves leaves;
	enum json_leaf kind;

	json_leaves_open(&leaves, json_span(unit->value));
	while ((kind = json_leaves_next(&leaves)) != JSON_LEAF_END)
		if (kind == JSON_LEAF_STRING && str_eq(json_span(leaves.value), json_span(text)) &&
		    json_is(json_leaves_name(&leaves), str_from(name)))
			return leaves.value;
	return (struct json_value){.type = JSON_ABSENT};
}

/* Sets the new text of the record's string, if it has changed. */
static void
find_edit(const struct into *into, const struct into_unit *unit, struct json_value said,
    struct json_value text, struct told *told)
{
	uint32_t i = into_patch_first(into, unit->whole.ptr);

	if (unit->is_gone)
		told->text = text;
	for (; i < into->edit_count && into->edit[i].span.ptr <= said.ptr; i++) {
		const struct into_edit *edit = &into->edit[i];

		if (said.ptr >= edit->span.ptr + edit->span.len)
			continue;
		told->text = text;
		told->with = edit->is_removed || unit->is_gone ? STR("") : edit->with;
	}
}

/* The short text of the line, and its new text. The edits must be sorted by their places. Of the
 * neighbouring records, the nearest that has the text counts. */
static struct told
find_told(const struct into *into, const struct into_unit *unit)
{
	const struct session_layout *format = into->format;
	uint32_t number = (uint32_t)(unit - into->units.unit);
	struct told told = {.text = {.type = JSON_ABSENT}};
	struct json_value text = told_text(format, unit->value), said;

	for (uint32_t i = 2; text.type == JSON_STRING && i < 2 * (BETWEEN + 2); i++) {
		uint32_t beside = i % 2 == 0 ? number - i / 2 : number + i / 2;
		const struct into_unit *other = &into->units.unit[beside];

		if (beside >= into->units.count || !other->is_made)
			continue;
		said = find_said(other, format->says, text);
		if (said.type == JSON_ABSENT)
			continue;
		find_edit(into, other, said, text, &told);
		break;
	}
	return told;
}

/* Whether the value is the id of a call of a changed message. */
static bool
has_changed(const struct into_copies *copies, struct json_value id)
{
	return id.type == JSON_STRING &&
	    map_get(&copies->calls, hash_label(json_span(id))) != MAP_NONE;
}

/* Whether the record, of which no message was made, repeats a result of a changed call. */
static bool
repeats_result(const struct into_copies *copies, const struct into_unit *unit)
{
	const char *path = copies->into->format->answers;
	struct json_walk walk = json_walk_list(json_find(unit->value, STR("content")));

	while (path != NULL && !unit->is_made && json_walk_next(&walk))
		if (has_changed(copies, session_layout_at(walk.value, path)))
			return true;
	return false;
}

bool
into_copies_is_event(struct into_copies *copies, const struct into_unit *unit)
{
	const struct session_layout *format = copies->into->format;
	struct told told;

	if (repeats_result(copies, unit))
		return true;
	if (!session_layout_is_event(format, unit->value))
		return false;
	if (has_changed(copies, session_layout_at(unit->value, format->call)))
		return true;
	told = find_told(copies->into, unit);
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
	struct told told = {.text = {.type = JSON_ABSENT}};

	if (session_layout_is_event(copies->into->format, unit->value))
		told = find_told(copies->into, unit);
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
