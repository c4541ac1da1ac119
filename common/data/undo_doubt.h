#ifndef DATA_UNDO_DOUBT_H
#define DATA_UNDO_DOUBT_H

/*
 * Whether it can be told what a stream was. Where another pass fitted as well as the one that was
 * undone, it is undone instead: if that gives another stream, either may be the right one.
 */

#include "data/undo.h"

struct undo_doubt {
	uint32_t item;  /* of the archive: the pass that was undone */
	uint32_t other; /* the one that fits as well, and gives another stream */
};

/* Sets *doubt to the next one of which other is at least from. Returns false when there is none.
 * Call when all passes were undone. */
bool undo_doubt_find(const struct undo *undo, uint32_t from, struct undo_doubt *doubt);

#endif
