#ifndef INTO_INTO_H
#define INTO_INTO_H

/*
 * Writes what became of a session's messages back into the file that they were read from: records
 * stay byte for byte, but for what is changed, is gone or is new.
 *
 *     FILE     --reader--> messages, and of which values each was made     into_own
 *     stream   messages that say their metadata.source                     into_take
 *              compared: the same, changed, gone, new                      into_end
 *
 * Of a changed message the strings that differ are replaced where they stand, and parts and calls
 * that are gone are taken out of their lists (into_patch.h). What cannot be done so, as where an
 * artifact stands for calls, is taken out and written anew by the forms of --to, and so are the
 * messages that share a record with it, and the calls and results that belong to it (into_plan.h).
 * Records that make no message stay; but what repeats a text that has changed goes.
 *
 * All is linear in the file and the stream, but for the sorting of changes.
 */

#include "dialects/into/into_state.h"

/* Begins with the text of the file, which is one document, or lines, of which those behind the
 * first len bytes were appended. It lives as long as into. */
void into_init(struct into *into, const struct session_layout *format, struct str text, size_t len,
    bool is_document, struct fault *fault);

/* Reads the messages of the file, as ctx-normalize does with the same options. Returns false with
 * the fault set. */
bool into_read(struct into *into, const char *file, bool all, bool lossy);

/* Takes a message of the stream, when all those of the file came. */
void into_take(struct into *into, struct str text);

/* Appends the new file. text is the file as it is, of which the text of into_init is an unfolded
 * copy, or the same. Returns false with the fault set. */
bool into_end(struct into *into, struct str text, struct buf *to);

void into_free(struct into *into);

#endif
