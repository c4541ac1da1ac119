#ifndef ARCHIVE_UNDO_SEARCH_H
#define ARCHIVE_UNDO_SEARCH_H

/*
 * Which archived passes are undone: always one that wrote as many of the lines as any. Of several
 * that wrote the same lines, the one of which a budget record is there is undone, and of those the
 * newest. Where another one would do as well, it is marked with that one: it may be an older pass
 * of the same log, which is undone later, or else cannot be told from it.
 */

#include "data/archive/undo.h"

/* Undoes all passes that fit. */
void undo_search_run(struct undo *undo);

#endif
