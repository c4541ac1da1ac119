#ifndef INTO_INTO_PATCH_H
#define INTO_INTO_PATCH_H

/*
 * The changes of one message as edits of the records that it was made of.
 */

#include "dialects/into/into_state.h"

/* Compares the message of the file with that of the stream, and notes the edits, if any are needed.
 * Returns false, and notes none, when edits cannot do it. */
bool into_patch(struct into *into, const struct into_own *own, struct str text);

/* Notes that the value of the piece, an element of a list, is removed. Returns false when it is no
 * element. */
bool into_patch_remove(struct into *into, const struct provenance_piece *piece);

/* Notes which strings of before became others, for records that repeat them. A string without a
 * counterpart in after, which may be absent, is gone. */
void into_patch_note(struct into *into, struct json_value before, struct json_value after);

/* The number of the first edit from ptr on. The edits must be sorted by their places. */
uint32_t into_patch_first(const struct into *into, const char *ptr);

#endif
