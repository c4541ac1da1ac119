#ifndef PARTS_JOINER_TEXT_H
#define PARTS_JOINER_TEXT_H

/*
 * The texts of the joiner's records. One that is held, or has left and may be sent again, is stowed
 * (stream/file/stow.h); what stays in memory are ids, calls and places. The memory of a text that is
 * not needed any more is used again.
 */

#include "dialects/parts/joiner.h"

/* Whether the record, which is complete, says anything. */
bool joiner_text_is_there(const struct joined *joined);

/* Gives the record an empty text. */
void joiner_text_begin(struct joiner *joiner, struct joined *joined);

/* Frees the text that is in memory. */
void joiner_text_free(struct joiner *joiner, struct joined *joined);

/* Stows the text, unless the stow is full: then it stays in memory. */
void joiner_text_stow(struct joiner *joiner, struct joined *joined);

/* Brings a stowed text into memory. Returns false with the fault of the joiner's stage set when it
 * cannot be read. */
bool joiner_text_fetch(struct joiner *joiner, struct joined *joined);

#endif
