#ifndef INTO_INTO_WRITE_H
#define INTO_INTO_WRITE_H

/*
 * The new file: the units that stay, with their edits, and the batches. Here records are linked
 * anew: what followed a record that is gone follows the nearest one before that is there, and what
 * stands behind a batch follows its last record.
 */

#include "dialects/into/into_state.h"

/* Appends the file; text is it as it is, as of into_end. */
void into_write(struct into *into, struct str text, bool is_document, struct buf *to);

#endif
