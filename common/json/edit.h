#ifndef JSON_EDIT_H
#define JSON_EDIT_H

/*
 * An edit of one JSON text. Spans of the text are replaced, and members are added to its objects or
 * removed from them. Everything else stays byte for byte. Changes are noted in any order; they must
 * not overlap. Writing takes time n log n for n changes, or n when the changes were noted in the
 * order of the text.
 *
 * The text belongs to the caller and must live as long as the edit. The edit owns its list of
 * changes and the bytes that it makes. JSON_EDIT_INIT makes an empty edit.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "json/value.h"

enum { JSON_EDIT_FEW = 6 };

struct json_splice {
	const char *ptr;
	size_t len;
	struct str with; /* the new bytes */
	uint32_t number; /* in the order in which changes were noted, from 0 */
	uint8_t kind;
};

struct json_edit {
	struct str text;
	uint32_t count; /* changes; with 0 the edited text is the text itself */
	uint32_t cap;   /* capacity of many */
	bool is_unsorted;
	struct json_splice *many; /* the changes; NULL while they fit into few */
	struct json_splice few[JSON_EDIT_FEW];
	struct arena arena; /* for bytes that must live as long as the edit */
};

#define JSON_EDIT_INIT \
	{ \
		.many = NULL \
	}

/* Begins an edit of text. edit may be uninitialized. */
void json_edit_init(struct json_edit *edit, struct str text);

/* Forgets all changes and begins an edit of text. Reuses the memory of edit. */
void json_edit_reset(struct json_edit *edit, struct str text);

void json_edit_free(struct json_edit *edit);

/* Replaces span, a part of the text, by with. The bytes of with must live as long as the edit. An
 * empty span inserts with before the byte at span.ptr. */
void json_edit_replace(struct json_edit *edit, struct str span, struct str with);

/* Memory of len bytes, or a copy of text, that lives as long as the edit. */
char *json_edit_room(struct json_edit *edit, size_t len);
struct str json_edit_keep(struct json_edit *edit, struct str text);

/* Adds a member at the end of object, which is a value in the text. name is escaped as in JSON,
 * without quotes; value is JSON. Both are copied. Members added to one object keep their order. */
void json_edit_add(
    struct json_edit *edit, struct json_value object, struct str name, struct str value);

/* Removes a member from its object, with one comma beside it. name and value are those of the
 * member. */
void json_edit_remove(struct json_edit *edit, struct json_value name, struct json_value value);

/* Removes every member with that name from the object. Does nothing when object is no object. */
void json_edit_remove_all(struct json_edit *edit, struct json_value object, struct str name);

/* Appends the edited text to buf. json_edit_end then frees the edit. */
void json_edit_write(struct json_edit *edit, struct buf *buf);
void json_edit_end(struct json_edit *edit, struct buf *buf);

/*
 * The edited text piece by piece, for a caller that writes kept bytes by reference:
 *
 *     struct json_pieces pieces;
 *     json_pieces_open(&pieces, &edit);
 *     while (json_pieces_next(&pieces))
 *             put(pieces.piece, pieces.is_kept);
 *
 * A kept piece is a span of the text; any other piece lives as long as the edit. No piece is empty.
 * Note no change in the edit between the first piece and the last one.
 */
struct json_pieces {
	struct str piece;
	bool is_kept;
	/* For the functions below only. */
	const struct json_splice *splice, *end;
	const char *at, *text_end;
	struct str with; /* the next piece, after a kept one */
	bool is_member;  /* with is an added member */
	char last;       /* the last byte that was handed out and is not blank */
};

void json_pieces_open(struct json_pieces *pieces, struct json_edit *edit);
bool json_pieces_next(struct json_pieces *pieces);

#endif
