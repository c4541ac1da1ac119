#ifndef INTO_INTO_WRITE_H
#define INTO_INTO_WRITE_H

/*
 * Writes the new file: the units that stay, with their edits, and the batches. Records are linked
 * anew: a record that followed a removed one follows the nearest record before that stays, and a
 * record after a batch follows the last record of the batch.
 */

#include "dialects/into/into_state.h"

/* Appends the new file; text is the same as in into_end. */
void into_write(struct into *into, struct str text, bool is_document, struct buf *to);

#endif
