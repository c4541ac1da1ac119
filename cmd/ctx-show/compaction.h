#ifndef CTX_SHOW_COMPACTION_H
#define CTX_SHOW_COMPACTION_H

/* What the artifact of a compaction stands for. */

#include "steps.h"

/* The messages that are gone; 0 where the step is no artifact of a compaction. */
uint64_t compaction_dropped(const struct step *step);

/* Appends how many they are, and the command that puts them back into the log, which may be NULL,
 * where the artifact names an archive. Returns false, and appends nothing, where there are none. */
bool compaction_add(const struct step *step, const char *log, struct buf *out);

#endif
