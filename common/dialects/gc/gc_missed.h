#ifndef GC_GC_MISSED_H
#define GC_GC_MISSED_H

/*
 * The records with messages that belong to the conversation, and are not loaded: by a fault of the
 * file, so that they may still come back (load_mend.h).
 *
 *     a <- b <- (progress) <- f        c, d and e are missed: the user left no branch
 *          b <- c <- d <- e
 *
 * To the conversation belongs what the reader of the dialect makes of the session: not what a
 * compaction took out, nor what is on branches that the user left. The reader holds messages; here
 * a record is a node.
 */

#include "dialects/gc/gc_state.h"

/* Counts the records with messages of the conversation, and those of them that are missed. Call
 * when the pass has ended, before the verdicts are set. Time is that of a walk up the chain. */
void gc_missed_count(struct gc *gc, const struct load_file *file);

#endif
