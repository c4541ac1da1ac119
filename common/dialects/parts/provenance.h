#ifndef PARTS_PROVENANCE_H
#define PARTS_PROVENANCE_H

/*
 * Of which values of a record each message was made, for who writes changes back into the records
 * (dialects/into/into.h). A reader that is asked for it notes pieces in its drafts, in the order of
 * the parts and calls that they become; when a message leaves, its pieces are at hand:
 *
 *     {"message":{"content":[{"type":"text","text":"a"},{"type":"tool_use",…}]}}
 *      RECORD                [PART                     ][CALL                 ]
 *
 * A piece that is no span of the text, since the reader made it, has no ptr.
 */

#include "base/buf.h"
#include "json/value.h"

enum provenance_kind {
	PROVENANCE_RECORD,    /* of which the message was begun */
	PROVENANCE_PART,      /* of the content */
	PROVENANCE_CONTENT,   /* all of the content */
	PROVENANCE_CALL,      /* what says the call, or the result, in a list */
	PROVENANCE_ARGUMENTS, /* of the call before */
};

struct provenance_piece {
	const char *ptr;
	uint32_t len;
	uint32_t kind; /* enum provenance_kind */
};

/* Of a reader's run; of the caller. */
struct provenance {
	struct str text;      /* all records lie in it */
	const struct buf *of; /* struct provenance_piece each, of the message that leaves */
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
