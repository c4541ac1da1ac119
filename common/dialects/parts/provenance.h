#ifndef PARTS_PROVENANCE_H
#define PARTS_PROVENANCE_H

/*
 * The values of a record from which each message was made, so that changes can be written back into
 * the records (dialects/into/into.h). If provenance is set, a reader notes pieces in its drafts, in
 * the order of the parts and calls that they become. When a message is emitted, its pieces are in
 * provenance:
 *
 *     {"message":{"content":[{"type":"text","text":"a"},{"type":"tool_use",…}]}}
 *      RECORD                [PART                     ][CALL                 ]
 *
 * A piece that the reader made, and that is no span of the text, has no ptr.
 */

#include "base/buf.h"
#include "json/value.h"

enum provenance_kind {
	PROVENANCE_RECORD,    /* the record from which the message was begun */
	PROVENANCE_PART,      /* a part of the content */
	PROVENANCE_CONTENT,   /* the whole content */
	PROVENANCE_CALL,      /* the element of a list that is the call or the result */
	PROVENANCE_ARGUMENTS, /* the arguments of the call before */
};

struct provenance_piece {
	const char *ptr;
	uint32_t len;
	uint32_t kind; /* enum provenance_kind */
};

/* The provenance of one run of a reader; the caller owns it. */
struct provenance {
	struct str text;      /* the text in which all records are */
	const struct buf *of; /* the pieces of the emitted message, struct provenance_piece each */
};

/* Appends a piece to the list, unless provenance is NULL. */
static inline void
provenance_note(const struct provenance *provenance, struct buf *pieces, enum provenance_kind kind,
    struct json_value value)
{
	struct provenance_piece piece = {value.ptr, value.len, kind};

	if (provenance == NULL)
		return;
	if (value.ptr == NULL ||
	    (uintptr_t)value.ptr - (uintptr_t)provenance->text.ptr >= provenance->text.len)
		piece.ptr = NULL;
	buf_add(pieces, &piece, sizeof piece);
}

#endif
