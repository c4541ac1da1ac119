#include "dialects/into/into_patch.h"

#include "base/byte.h"
#include "base/list.h"
#include "data/message/message.h"
#include "json/canon.h"
#include "json/leaves.h"
#include "json/nested.h"
#include "json/string.h"

/* Whether both values say the same, however they are spelled: other programs write other escapes
 * and blanks. Half of a character, which has no canonical spelling, is the same only as itself. */
static bool
is_same(struct json_value a, struct json_value b)
{
	struct buf one = BUF_INIT, other = BUF_INIT;
	bool is_equal = str_eq(json_span(a), json_span(b));

	if (is_equal || a.type != b.type || a.type == JSON_ABSENT ||
	    (a.type == JSON_STRING && !a.escaped && !b.escaped) ||
	    json_lone_surrogate(json_span(a)).len > 0)
		return is_equal;
	json_squeeze(a, &one);
	json_squeeze(b, &other);
	is_equal = str_eq(buf_str(&one), buf_str(&other));
	buf_free(&one);
	buf_free(&other);
	return is_equal;
}

static void
note(struct into *into, struct str span, struct str with, bool is_removed)
{
	struct into_edit edit = {span, arena_copy(&into->arena, with), is_removed, into->edit_count,
	    {.type = JSON_ABSENT}};

	LIST_ADD(into->edit, into->edit_count, into->edit_cap, edit);
}

bool
into_patch_remove(struct into *into, const struct provenance_piece *piece)
{
	const char *before = piece->ptr;

	if (before == NULL || before == into->units.text.ptr)
		return false;
	while (before > into->units.text.ptr && byte_is_blank(before[-1]))
		before--;
	if (before[-1] != '[' && before[-1] != ',')
		return false;
	note(into, str_of(piece->ptr, piece->len), STR(""), true);
	map_set(&into->removed, into_place_key(into, piece->ptr), 1);
	return true;
}

/* The next string of the text, or absent. */
static struct json_value
next_string(struct json_leaves *leaves)
{
	enum json_leaf kind;

	while ((kind = json_leaves_next(leaves)) != JSON_LEAF_END)
		if (kind == JSON_LEAF_STRING)
			return leaves->value;
	return (struct json_value){.type = JSON_ABSENT};
}

/* Notes that the string has become another. */
static void
note_changed(struct into *into, struct json_value before, struct json_value after)
{
	struct str *with = arena_alloc(&into->arena, sizeof *with);

	*with = arena_copy(&into->arena, json_span(after));
	into_note_gone(into, before, after.type == JSON_STRING ? with : NULL);
}

void
into_patch_note(struct into *into, struct json_value before, struct json_value after)
{
	struct json_leaves was, is;
	struct json_value string, other = after;

	if (before.type == JSON_ABSENT)
		return;
	json_leaves_open(&was, json_span(before));
	if (after.type != JSON_ABSENT)
		json_leaves_open(&is, json_span(after));
	while ((string = next_string(&was)).type != JSON_ABSENT) {
		if (other.type != JSON_ABSENT)
			other = next_string(&is);
		if (other.type == JSON_ABSENT || !is_same(string, other))
			note_changed(into, string, other);
	}
}

/* Replaces the next string of the piece that is spelled as before. */
static bool
replace_next(
    struct into *into, struct json_leaves *place, struct json_value before, struct json_value after)
{
	struct json_value found;

	do {
		found = next_string(place);
		if (found.type == JSON_ABSENT)
			return false;
	} while (!str_eq(json_span(found), json_span(before)));
	note(into, json_span(found), json_span(after), false);
	note_changed(into, before, after);
	return true;
}

/* Replaces the strings in which both values differ, which are else of one structure. */
static bool
patch_strings(
    struct into *into, struct str place, struct json_value before, struct json_value after)
{
	struct json_leaves in_place, of_before, of_after;
	enum json_leaf kind;

	json_leaves_open(&in_place, place);
	json_leaves_open(&of_before, json_span(before));
	json_leaves_open(&of_after, json_span(after));
	while ((kind = json_leaves_next(&of_before)) != JSON_LEAF_END) {
		if (json_leaves_next(&of_after) != kind || of_before.depth != of_after.depth)
			return false;
		if (is_same(of_before.value, of_after.value))
			continue;
		if (kind != JSON_LEAF_STRING ||
		    !replace_next(into, &in_place, of_before.value, of_after.value))
			return false;
	}
	return json_leaves_next(&of_after) == JSON_LEAF_END;
}

static bool
patch_value(struct into *into, const struct provenance_piece *piece, struct json_value before,
    struct json_value after)
{
	struct str place = str_of(piece->ptr, piece->len);

	if (is_same(before, after))
		return true;
	if (piece->ptr == NULL || before.type == JSON_ABSENT || after.type == JSON_ABSENT)
		return false;
	if (into->format->copies_parts && str_eq(place, json_span(before))) {
		note(into, place, json_span(after), false);
		into_patch_note(into, before, after);
		return true;
	}
	return patch_strings(into, place, before, after);
}

/* Replaces arguments, which are JSON in a string here, and there an object, the same, or the value
 * of a single argument. */
static bool
patch_arguments(struct into *into, const struct provenance_piece *piece, struct json_value before,
    struct json_value after)
{
	struct str place = str_of(piece->ptr, piece->len);
	struct json_nested of_before;
	struct json_value value;

	if (piece->kind != PROVENANCE_ARGUMENTS || piece->ptr == NULL)
		return false;
	if (str_eq(place, json_span(before))) {
		note(into, place, json_span(after), false);
		return true;
	}
	value = json_nested_line(after, &into->arena);
	if (place.ptr[0] == '{' && value.type == JSON_OBJECT) {
		note(into, place, json_span(value), false);
		return true;
	}
	json_nested_read(&of_before, before, &into->arena);
	return of_before.value.type != JSON_ABSENT && value.type != JSON_ABSENT &&
	    patch_strings(into, place, of_before.value, value);
}

static bool
patch_call(struct into *into, const struct provenance_piece *piece, struct json_value before,
    struct json_value after)
{
	struct json_value was = json_find(before, STR("function")),
			  is = json_find(after, STR("function"));
	struct json_value arguments = json_find(was, STR("arguments")),
			  changed = json_find(is, STR("arguments"));

	if (is_same(before, after))
		return true;
	if (!is_same(json_find(was, STR("name")), json_find(is, STR("name"))))
		return false;
	return is_same(arguments, changed) || patch_arguments(into, piece + 1, arguments, changed);
}

/* The next piece of that kind from *at on, or NULL; *at is moved after it. */
static const struct provenance_piece *
next_piece(const struct into *into, const struct into_own *own, uint32_t *at, unsigned kind)
{
	while (*at < own->pieces) {
		const struct provenance_piece *piece = &into->piece[own->piece + (*at)++];

		if (piece->kind == kind)
			return piece;
	}
	return NULL;
}

/* Calls are recognized by their ids, and keep their order. */
static bool
patch_calls(struct into *into, const struct into_own *own, const struct message *before,
    const struct message *after)
{
	struct json_walk was = json_walk_list(before->tool_calls);
	struct json_walk is = json_walk_list(after->tool_calls);
	bool is_more = json_walk_next(&is);
	uint32_t at = 0;

	while (json_walk_next(&was)) {
		const struct provenance_piece *piece = next_piece(into, own, &at, PROVENANCE_CALL);

		if (piece == NULL)
			return false;
		if (is_more &&
		    is_same(json_find(was.value, STR("id")), json_find(is.value, STR("id")))) {
			if (!patch_call(into, piece, was.value, is.value))
				return false;
			is_more = json_walk_next(&is);
		} else if (!into_patch_remove(into, piece)) {
			return false;
		}
	}
	return !is_more;
}

/* The parts of a content: of a string itself, of a list its elements. */
struct parts {
	struct json_walk walk;
	struct json_value text;
	uint32_t left;
};

static struct parts
parts_of(struct json_value content)
{
	struct parts parts = {.walk = json_walk_list(content), .text = {.type = JSON_ABSENT}};
	struct json_walk walk = parts.walk;

	while (json_walk_next(&walk))
		parts.left++;
	if (content.type == JSON_STRING) {
		parts.text = content;
		parts.left = 1;
	}
	return parts;
}

static struct json_value
next_part(struct parts *parts)
{
	if (parts->left == 0)
		return (struct json_value){.type = JSON_ABSENT};
	parts->left--;
	if (parts->text.type == JSON_STRING)
		return parts->text;
	json_walk_next(&parts->walk);
	return parts->walk.value;
}

/* What of the part is compared with a string: a part of nothing but text is one. */
static void
match_text(struct json_value *a, struct json_value *b)
{
	if (a->type == JSON_STRING && json_has_type(*b, STR("text")))
		*b = json_find(*b, STR("text"));
	else if (b->type == JSON_STRING && json_has_type(*a, STR("text")))
		*a = json_find(*a, STR("text"));
}

static bool
patch_parts(struct into *into, const struct into_own *own, struct json_value before,
    struct json_value after)
{
	struct parts was = parts_of(before), is = parts_of(after);
	struct json_value part, other = next_part(&is);
	uint32_t at = 0;

	while ((part = next_part(&was)).type != JSON_ABSENT) {
		const struct provenance_piece *piece = next_piece(into, own, &at, PROVENANCE_PART);
		struct json_value a = part, b = other;
		bool is_pair = other.type != JSON_ABSENT && was.left == is.left;

		match_text(&a, &b);
		if (piece == NULL)
			return false;
		if (is_pair || (b.type != JSON_ABSENT && is_same(a, b))) {
			if (!patch_value(into, piece, a, b))
				return false;
			other = next_part(&is);
		} else if (!into_patch_remove(into, piece)) {
			return false;
		}
	}
	return other.type == JSON_ABSENT;
}

static bool
patch_content(struct into *into, const struct into_own *own, struct json_value before,
    struct json_value after)
{
	uint32_t at = 0;
	const struct provenance_piece *whole = next_piece(into, own, &at, PROVENANCE_CONTENT);

	if (is_same(before, after))
		return true;
	if (whole != NULL)
		return patch_value(into, whole, before, after);
	return patch_parts(into, own, before, after);
}

/* Notes that the copy of the result at the piece is removed. */
static void
patch_copy(struct into *into, const struct provenance_piece *piece)
{
	const struct session_layout *format = into->format;
	struct json_value value, holder;
	const char *path = format->copy;
	struct str name;

	if (path == NULL || piece->ptr == NULL)
		return;
	value = holder = json_value_at(piece->ptr);
	while (str_take_word(&path, '.', &name)) {
		holder = value;
		value = json_find(value, name);
	}
	if (value.type == JSON_ABSENT)
		return;
	if (format->empty != NULL) {
		note(into, json_span(value), str_from(format->empty), false);
		return;
	}
	for (struct json_walk walk = json_walk_members(holder); json_walk_next(&walk);)
		if (walk.value.ptr == value.ptr) {
			note(into, json_span(value), STR(""), true);
			into->edit[into->edit_count - 1].name = walk.name;
		}
}

/* Whether both say the same but for content, calls and metadata. */
static bool
is_alike(const struct message *a, const struct message *b)
{
	return is_same(a->role_value, b->role_value) && is_same(a->tool_call_id, b->tool_call_id) &&
	    is_same(a->name, b->name) && is_same(a->refusal, b->refusal) &&
	    is_same(a->reasoning, b->reasoning);
}

bool
into_patch(struct into *into, const struct into_own *own, struct str text)
{
	uint32_t edits = into->edit_count;
	struct message before, after;

	if (str_eq(own->text, text))
		return true;
	message_reread(&before, own->text);
	message_reread(&after, text);
	if (!is_alike(&before, &after) ||
	    !patch_content(into, own, before.content, after.content) ||
	    !patch_calls(into, own, &before, &after)) {
		into->edit_count = edits;
		return false;
	}
	into->unsaid += !is_same(before.metadata, after.metadata);
	if (edits < into->edit_count && before.role == ROLE_TOOL && own->pieces > 0)
		patch_copy(into, &into->piece[own->piece]);
	return true;
}

uint32_t
into_patch_first(const struct into *into, const char *ptr)
{
	uint32_t first;

	LIST_BOUND(first, i, into->edit_count, into->edit[i].span.ptr < ptr);
	return first;
}
