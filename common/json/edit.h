#ifndef JSON_EDIT_H
#define JSON_EDIT_H

/*
 * An edit of one text: spans of it that are replaced, and members that are added to its objects or
 * removed from them. Everything else stays byte for byte. Changes are noted in any order and must
 * not overlap; the text must live as long as the edit. Writing takes n log n for n changes, or n
 * when they were noted in the order of the text.
 *
 * The edit owns its list and the bytes that it makes; JSON_EDIT_INIT is the empty one.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "json/value.h"

enum { JSON_EDIT_FEW = 6 };

struct json_splice {
	const char *ptr;
	size_t len;
	struct str with;
	uint32_t number; /* in the order of noting, from 0 */
	uint8_t kind;
};

struct json_edit {
	struct str text;
	uint32_t count; /* of changes; 0: the edited text is the text */
	uint32_t cap;   /* of many */
	bool is_unsorted;
	struct json_splice *many; /* NULL: few holds them */
	struct json_splice few[JSON_EDIT_FEW];
	struct arena arena; /* for bytes that must live as long as the edit */
};

#define JSON_EDIT_INIT {.many = NULL}

/* Begins an edit of text; edit is uninitialized. */
void json_edit_init(struct json_edit *edit, struct str text);

/* Forgets all changes and begins an edit of text, in the memory that edit has. */
void json_edit_reset(struct json_edit *edit, struct str text);

void json_edit_free(struct json_edit *edit);

/* Puts with in place of the span, which lies in the text; with must live as long as the edit. A
 * span of no bytes is a place: what is put there stands before the byte at span.ptr. */
void json_edit_replace(struct json_edit *edit, struct str span, struct str with);

/* A copy of text that lives as long as the edit. */
struct str json_edit_keep(struct json_edit *edit, struct str text);

/* Adds a member at the end of object (a value in the text); name is escaped JSON without quotes,
 * value is JSON; both are copied. Several in one object keep their order. */
void json_edit_add(struct json_edit *edit, struct json_value object, struct str name,
    struct str value);

/* Takes a member out of its object, with one comma beside it; name is the span of its name. */
void json_edit_remove(struct json_edit *edit, struct json_value name, struct json_value value);

/* Appends the edited text to buf. */
void json_edit_write(struct json_edit *edit, struct buf *buf);

/*
 * The edited text piece by piece, for who writes what stays by reference:
 *
 *     struct json_pieces pieces;
 *     json_pieces_open(&pieces, &edit);
 *     while (json_pieces_next(&pieces))
 *             put(pieces.piece, pieces.is_kept);
 *
 * A piece that is kept is a span of the text; any other lives as long as the edit. No piece is
 * empty. Nothing is noted in the edit meanwhile.
 */
struct json_pieces {
	struct str piece;
	bool is_kept;
	/* Its own state. */
	const struct json_splice *splice, *end;
	const char *at, *text_end;
	struct str with; /* comes after the piece that is kept */
	bool is_member;  /* that is an added member */
	char last;       /* the last byte that was handed out and is not blank */
};

void json_pieces_open(struct json_pieces *pieces, struct json_edit *edit);
bool json_pieces_next(struct json_pieces *pieces);

#endif
