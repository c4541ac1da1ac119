#ifndef ARCHIVE_UNDO_SEARCH_H
#define ARCHIVE_UNDO_SEARCH_H

/*
 * Chooses the archived passes to undo: always a pass that wrote the longest run of the first lines.
 * Of several passes that wrote the same lines, those are preferred whose budget record is in the
 * stream; of these, the newest. Other passes that would fit too are marked with the chosen one.
 * Such a pass may be an older one of the same stream, which is undone later. If not, nothing shows
 * which of the two was right.
 */

#include "data/archive/undo.h"

/* Undoes all passes that fit. */
void undo_search_run(struct undo *undo);

#endif
