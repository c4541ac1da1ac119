#include "json/edit.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/members.h"
#include "json/path/path.h"
#include "json/string.h"

enum splice_kind { SPLICE_TEXT, SPLICE_MEMBER_ADDED, SPLICE_MEMBER_REMOVED };

void
json_edit_init(struct json_edit *edit, struct str text)
{
	edit->many = NULL;
	edit->cap = 0;
	edit->arena = (struct arena)ARENA_INIT;
	json_edit_reset(edit, text);
}

void
json_edit_reset(struct json_edit *edit, struct str text)
{
	edit->text = text;
	edit->count = 0;
	edit->is_unsorted = false;
	arena_reset(&edit->arena);
}

void
json_edit_free(struct json_edit *edit)
{
	free(edit->many);
	arena_free(&edit->arena);
	json_edit_init(edit, edit->text);
}

char *
json_edit_room(struct json_edit *edit, size_t len)
{
	return arena_alloc(&edit->arena, len);
}

struct str
json_edit_keep(struct json_edit *edit, struct str text)
{
	return arena_copy(&edit->arena, text);
}

static struct json_splice *
list_of(struct json_edit *edit)
{
	return edit->many != NULL ? edit->many : edit->few;
}

static void
add_splice(
    struct json_edit *edit, const char *ptr, size_t len, struct str with, enum splice_kind kind)
{
	struct json_splice *list;

	if (edit->many == NULL && edit->count == JSON_EDIT_FEW) {
		edit->cap = 4 * JSON_EDIT_FEW;
		edit->many = mem_alloc(edit->cap, sizeof *edit->many);
		memcpy(edit->many, edit->few, sizeof edit->few);
	}
	if (edit->many != NULL)
		LIST_ROOM(edit->many, edit->count, edit->cap);
	list = list_of(edit);
	edit->is_unsorted |= edit->count > 0 && list[edit->count - 1].ptr > ptr;
	list[edit->count] = (struct json_splice){ptr, len, with, edit->count, (uint8_t)kind};
	edit->count++;
}

void
json_edit_replace(struct json_edit *edit, struct str span, struct str with)
{
	add_splice(edit, span.ptr, span.len, with, SPLICE_TEXT);
}

void
json_edit_add(struct json_edit *edit, struct json_value object, struct str name, struct str value)
{
	const char *at = object.ptr + object.len - 1; /* after the last member */
	size_t len = name.len + value.len + 4;
	char *bytes = arena_alloc(&edit->arena, len), *to = bytes;

	while (byte_is_blank(at[-1]))
		at--;
	memcpy(to, ",\"", 2); /* the comma is left out where the member is the first */
	memcpy(to += 2, name.ptr, name.len);
	memcpy(to += name.len, "\":", 2);
	memcpy(to + 2, value.ptr, value.len);
	add_splice(edit, at, 0, str_of(bytes, len), SPLICE_MEMBER_ADDED);
}

void
json_edit_remove(struct json_edit *edit, struct json_value name, struct json_value value)
{
	add_splice(edit, name.ptr, (size_t)(value.ptr + value.len - name.ptr), STR(""),
	    SPLICE_MEMBER_REMOVED);
}

void
json_edit_remove_all(struct json_edit *edit, struct json_value object, struct str name)
{
	for (struct json_walk walk = json_walk_members(object); json_walk_next(&walk);)
		if (json_is(walk.name, name))
			json_edit_remove(edit, walk.name, walk.value);
}

static int
compare(const void *left, const void *right)
{
	const struct json_splice *a = left, *b = right;

	if (a->ptr != b->ptr)
		return a->ptr < b->ptr ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/*
 * The removed members side by side from splice[0] on are one gap:
 *
 *     { "a":1, "b":2, "c":3 }      b: to the next member; b and c: from the comma before;
 *              ^^^^^^^             all three: the space between the brackets stays blank
 *
 * Sets where the gap starts and ends. Returns the first splice after the gap.
 */
static const struct json_splice *
find_gap(const struct json_splice *splice, const struct json_splice *list_end, const char **start,
    const char **end)
{
	const char *p = splice->ptr;

	*start = p;
	do {
		*end = p + splice->len;
		p = json_skip_blank(*end);
		splice++;
		if (*p != ',') { /* after the last member */
			while (byte_is_blank((*start)[-1]))
				--*start;
			if ((*start)[-1] == ',')
				--*start;
			else
				*start = json_skip_blank(*start);
			break;
		}
		*end = p = json_skip_blank(p + 1);
	} while (splice < list_end && splice->kind == SPLICE_MEMBER_REMOVED && splice->ptr == p);
	return splice;
}

void
json_pieces_open(struct json_pieces *pieces, struct json_edit *edit)
{
	struct json_splice *list = list_of(edit);

	if (edit->is_unsorted)
		qsort(list, edit->count, sizeof *list, compare);
	edit->is_unsorted = false;
	*pieces = (struct json_pieces){.splice = list,
	    .end = list + edit->count,
	    .at = edit->text.ptr,
	    .text_end = edit->text.ptr + edit->text.len};
}

/* Takes the next splice and sets *start to its beginning. Returns where the text continues after
 * it. */
static const char *
take_splice(struct json_pieces *pieces, const char **start)
{
	const struct json_splice *splice = pieces->splice++;
	const char *end = splice->ptr + splice->len;

	*start = splice->ptr;
	pieces->with = splice->with;
	pieces->is_member = splice->kind == SPLICE_MEMBER_ADDED;
	if (splice->kind == SPLICE_MEMBER_REMOVED)
		pieces->splice = find_gap(splice, pieces->end, start, &end);
	return end;
}

/* A member directly after the opening bracket of its object is added without a comma. */
static void
note_last(struct json_pieces *pieces)
{
	const char *p = pieces->piece.ptr + pieces->piece.len;

	while (p > pieces->piece.ptr && byte_is_blank(p[-1]))
		p--;
	if (p > pieces->piece.ptr)
		pieces->last = p[-1];
}

static bool
put_piece(struct json_pieces *pieces, struct str piece, bool is_kept)
{
	pieces->piece = piece;
	pieces->is_kept = is_kept;
	note_last(pieces);
	return true;
}

bool
json_pieces_next(struct json_pieces *pieces)
{
	for (;;) {
		const char *start = pieces->text_end, *from = pieces->at;
		struct str with = pieces->with;

		pieces->with.len = 0;
		if (with.len > 0 && pieces->is_member && pieces->last == '{')
			with = str_of(with.ptr + 1, with.len - 1);
		if (with.len > 0)
			return put_piece(pieces, with, false);
		if (from == pieces->text_end && pieces->splice == pieces->end)
			return false;
		pieces->at = start;
		if (pieces->splice < pieces->end)
			pieces->at = take_splice(pieces, &start);
		if (start > from)
			return put_piece(pieces, str_of(from, (size_t)(start - from)), true);
	}
}

void
json_edit_write(struct json_edit *edit, struct buf *buf)
{
	struct json_pieces pieces;

	json_pieces_open(&pieces, edit);
	while (json_pieces_next(&pieces))
		buf_add_str(buf, pieces.piece);
}

void
json_edit_end(struct json_edit *edit, struct buf *buf)
{
	json_edit_write(edit, buf);
	json_edit_free(edit);
}
